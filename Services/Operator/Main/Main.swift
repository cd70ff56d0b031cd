import Operator
import ServiceKit

@main
enum Main {
    static func main() async {
        forbidCoreDumps()
        endProcess(await Aqua.run(Array(CommandLine.arguments.dropFirst()), in: .process))
    }
}
