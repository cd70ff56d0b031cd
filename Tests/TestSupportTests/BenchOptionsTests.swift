import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import aqua_bench

/// `deploy/bench` reports a wrong option before it builds for minutes.
@Suite struct BenchOptionsTests {
    @Test(arguments: [
        (["--only", "everything"], "--only takes the name of a part"), (["--only"], "--only takes"),
        (["--json", "--count", "0"], "--count takes a number from 1 to 10000"), (["--count=10001"], "--count takes"),
        (["--count", "ten"], "--count takes"), (["--seed", "-1"], "--seed takes a whole number"),
        (["--quick"], "There is no option --quick"), (["latency"], "There is no option latency"),
        (["--push", "pigeon"], "--push takes webhook"), (["--only", "fairness", "--push="], "--push takes webhook"),
        // No measurement, but a program of one.
        (["notifier"], "There is no option notifier"),
    ])
    func aSlipIsRefusedAtOnce(options: [String], sentence: String) async throws {
        let bench = try ProcessUnderTest.start(Self.script, options)
        #expect(await bench.end == .exit(1))
        #expect(bench.errors.tail().contains("error: \(sentence)"))
        #expect(bench.output.all.isEmpty)
    }

    /// The script and the program each check options: what one of them takes, the other does as well.
    @Test func scriptAndProgramKnowTheSame() async throws {
        #expect(try await Self.choices(of: "--only") == Set(Part.allCases.map(\.rawValue)))
        #expect(try await Self.choices(of: "--push") == Set(PushKind.allCases.map(\.rawValue)))
        for kind in PushKind.allCases {
            let bench = try #require(
                try Benchmark.parseAsRoot(["--only", "fairness", "--push", kind.rawValue]) as? Benchmark)
            #expect(bench.only == .fairness && bench.push == kind)
        }
        #expect(throws: (any Error).self) { try Benchmark.parseAsRoot(["--push", "pigeon"]) }
        let notifier = try #require(
            try Benchmark.parseAsRoot(["notifier", "--apple", "https://127.0.0.1:1"]) as? BenchNotifier)
        #expect(notifier.apple == "https://127.0.0.1:1" && notifier.google == nil)
    }

    private static let script = Paths.repository.appending(path: "deploy/bench").path(percentEncoded: false)

    /// The names that the script's refusal of another one lists.
    private static func choices(of option: String) async throws -> Set<String> {
        let bench = try ProcessUnderTest.start(script, [option, "another"])
        _ = await bench.end
        let refusal = try #require(bench.errors.all.first { $0.contains("error: \(option) takes ") })
        let list = refusal.replacing(/^.*error: --\w+ takes (the name of a part: )?/, with: "").prefix { $0 != "." }
        return Set(list.split(separator: ", ").flatMap { $0.split(separator: " or ") }.map(String.init))
    }
}
