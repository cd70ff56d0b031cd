import ArgumentParser
import Chaos

@main
enum Main {
    static func main() async {
        SmallDisk.enterOwnNamespace()
        await ChaosCommand.main()
    }
}
