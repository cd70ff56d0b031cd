import Glibc
import Operator

@main
enum Main {
    static func main() async {
        exit(await Aqua.run(Array(CommandLine.arguments.dropFirst()), in: .process))
    }
}
