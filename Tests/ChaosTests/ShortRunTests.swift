import Glibc
import TestSupport
import Testing

/// The fault suite itself, for some minutes: `deploy/chaos` plays many more rounds.
@Suite struct ShortRunTests {
    private static let faults = [
        "kill-ingestor", "freeze-notifier", "twins-rules", "crash-database", "crash-broker-behind", "new-broker-behind",
        "cut-ingestor-broker", "endpoint-410", "device-duplicates", "poison", "kill-gateway", "cut-gateway-database",
    ]

    @Test func aRoundOfEachSortOfFault() async throws {
        let options = Self.faults.flatMap { ["--only", $0] }
        let (suite, end) = try await withHeavyTurn {
            let suite = try ProcessUnderTest.start(
                "aqua-chaos", ["--rounds", "\(Self.faults.count)", "--seed", "1"] + options)
            return (suite, await suite.end)
        }
        let rounds = suite.errors.all.filter { $0.hasPrefix("==>") }.joined(separator: "\n")
        #expect(end == .exit(0), "\(rounds)\n\(suite.tail)")
        let summary = try #require(suite.output.all.last)
        let pairs = summary.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let values = Dictionary(pairs.map { ($0[0], $0.count == 2 ? $0[1] : "") }) { $1 }
        for zero in [
            "lost", "stored_twice", "episodes_wrong", "alerts_missed", "alerts_late", "beyond_throttle",
            "messages_wrong", "silences_wrong", "derived_wrong", "hours_wrong", "work_wrong", "unexplained",
            "unrecovered",
            "unexpected_ends",
        ] {
            #expect(values[zero] == "0", "\(summary)")
        }
        #expect(Int(values["handed_over"] ?? "") ?? 0 > 500, "\(summary)")
        #expect(Int(values["alerts_expected"] ?? "") ?? 0 > 100, "\(summary)")
        #expect(Int(values["worked"] ?? "") ?? 0 > 100, "\(summary)")
        #expect(Int(values["worked_hours"] ?? "") ?? 0 > 0, "\(summary)")
    }

    @Test func aRunThatIsCutShortSaysSo() async throws {
        let suite = try ProcessUnderTest.start(
            "aqua-chaos", ["--rounds", "1000", "--seed", "1", "--only", "twins-rules"])
        _ = try await withDeadline(.seconds(120), "the beginning") {
            await suite.errors.stream().first { $0.contains("Starting servers") }
        } progress: {
            suite.errors.count
        }
        // The signal comes before the first round or, on a busy machine, in any of the thousand.
        suite.signal(SIGINT)
        #expect(await suite.end == .exit(130), "\(suite.tail)")
        #expect(suite.errors.all.contains { $0.contains("ut short") }, "\(suite.tail)")
    }
}
