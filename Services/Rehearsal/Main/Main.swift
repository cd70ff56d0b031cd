import Operator
import Rehearsal
import ServiceKit

@main
enum Main {
    static func main() async {
        forbidCoreDumps()
        endProcess(await AquaRehearsal.run(Array(CommandLine.arguments.dropFirst()), in: .process))
    }
}
