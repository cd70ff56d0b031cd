import Operator
import TestSupport
import Testing

@testable import Rehearsal

@Suite struct CommandLineTests {
    private static func run(_ arguments: [String]) async -> (code: Int32, lines: Collected) {
        let lines = Collected()
        let context = OperatorContext(environment: [:], console: lines.console)
        return (await AquaRehearsal.run(arguments, in: context), lines)
    }

    @Test(arguments: ["demo", "listen", "simulate", "replay"])
    func everyVerbHasHelpWithAnExample(_ verb: String) async {
        let (code, lines) = await Self.run([verb, "--help"])
        #expect(code == 0 && lines.complaints.isEmpty)
        let help = lines.output.joined(separator: "\n")
        #expect(help.contains("Example:") && help.contains("aqua-rehearsal \(verb)") && help.contains("--json"))
    }

    /// Verbs for production belong to `aqua` alone.
    @Test(arguments: [["doctor"], ["device", "list"], ["listen", "--nonsense"]])
    func commandLinesThatAreNone(_ arguments: [String]) async {
        let (code, lines) = await Self.run(arguments)
        #expect(code == 64 && lines.output.isEmpty)
        #expect(lines.complaints.joined(separator: "\n").contains("Usage: aqua-rehearsal"))
    }

    @Test func theProgramItselfSaysWhatIsMissing() async throws {
        let lost = try ProcessUnderTest.start("aqua-rehearsal", ["listen"])
        #expect(await lost.end == .exit(1))
        #expect(lost.errors.tail().hasPrefix("aqua-rehearsal: Which secret?"))
    }
}
