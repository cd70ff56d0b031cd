package import ArgumentParser
import UnixSignals

/// Injects one fault at a time into real processes under load, and counts losses independently.
/// `deploy/chaos` builds and starts it.
package struct ChaosCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "deploy/chaos", abstract: "Breaks things, one at a time, and counts what is lost.")

    @Option(help: "How many rounds to play.")
    var rounds = 100
    @Option(help: "Chooses what goes wrong when; random unless given.")
    var seed: UInt64?
    @Option(help: "Only these faults: the name of one, or the words with which names begin. May be repeated.")
    var only: [String] = []
    @Option(help: "Begin with the round of this number.")
    var first = 1
    @Flag(help: "Print what would go wrong when, and end.")
    var plan = false

    package init() {}

    package func validate() throws {
        guard (1...100_000).contains(rounds), (1...rounds).contains(first) else {
            throw ValidationError("--rounds is a number from 1 to 100000, and --first one of them.")
        }
        for name in only where Fault.named(name).isEmpty {
            throw ValidationError(
                "There is no fault \(name). There are: \(Fault.all.map(\.name).joined(separator: " "))")
        }
    }

    package func run() async throws {
        let seed = seed ?? .random(in: 1...999_999)
        let faults =
            only.isEmpty ? Fault.all : Fault.all.filter { fault in only.contains { Fault.named($0).contains(fault) } }
        let plan = Plan(seed: seed, rounds: rounds, faults: faults)
        say("seed \(seed)")
        if self.plan { return print(plan.rounds.map(\.description).joined(separator: "\n")) }
        let report: ChaosReport
        do {
            report =
                try await untilSignalled { [first] in
                    try await ChaosRun(plan: plan, first: first).play(seed: seed)
                } ?? cutShortAtOnce(seed)
        } catch {
            say("The suite itself failed. Again: \(again(seed))")
            throw error
        }
        if !report.isClean { say("Not as it should be. Again: \(again(seed))") }
        throw ExitCode(report.exitCode)
    }

    private func cutShortAtOnce(_ seed: UInt64) -> ChaosReport {
        say("Cut short before the first round")
        var report = ChaosReport(seed: seed)
        report.isCutShort = true
        return report
    }

    /// Runs `body`, and cancels it on SIGINT and SIGTERM, so that all its processes are stopped and the played rounds
    /// are reported.
    /// - Returns: Nil if a signal came before `body` had anything to report.
    private func untilSignalled<Result: Sendable>(
        _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> Result? {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await _ in signals { break }
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let result = first { return result }
            // Interrupted operations fail in many ways.
            return (try? await group.next()) ?? nil
        }
    }

    private func again(_ seed: UInt64) -> String {
        let names = only.map { " --only \($0)" }.joined()
        return "deploy/chaos --rounds \(rounds) --seed \(seed)\(names)"
    }
}
