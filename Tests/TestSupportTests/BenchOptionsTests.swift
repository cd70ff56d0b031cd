import Foundation
import TestSupport
import Testing

/// `deploy/bench` reports a wrong option before it builds for minutes.
@Suite struct BenchOptionsTests {
    @Test(arguments: [
        (["--only", "everything"], "--only takes the name of a part"), (["--only"], "--only takes"),
        (["--json", "--count", "0"], "--count takes a number from 1 to 10000"), (["--count=10001"], "--count takes"),
        (["--count", "ten"], "--count takes"), (["--seed", "-1"], "--seed takes a whole number"),
        (["--quick"], "There is no option --quick"), (["latency"], "There is no option latency"),
    ])
    func aSlipIsRefusedAtOnce(options: [String], sentence: String) async throws {
        let script = Paths.repository.appending(path: "deploy/bench").path(percentEncoded: false)
        let bench = try ProcessUnderTest.start(script, options)
        #expect(await bench.end == .exit(1))
        #expect(bench.errors.tail().contains("error: \(sentence)"))
        #expect(bench.output.all.isEmpty)
    }
}
