import ArgumentParser
import Chaos

@main
enum Main {
    static func main() async {
        SmallDisk.enterOwnNamespace()
        Lan.enterOwnNamespace()
        await ChaosCommand.main()
    }
}
