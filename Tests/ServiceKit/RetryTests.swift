import Backoff
import ServiceKit
import Testing

private enum Trouble: Error {
    case refused, asleep, hopeless
}

@Suite struct RetryTests {
    private let log = CapturedLog()
    private let clock = InstantClock()

    /// Fails with these errors in turn, then returns the number of attempts.
    private func attempt(_ errors: [Trouble]) async throws -> Int {
        var attempts = 0
        return try await keepTrying(
            "database", backoff: Backoff(base: .seconds(1), cap: .seconds(4)), clock: clock, logger: log.logger(),
            isRetriable: { ($0 as? Trouble) != .hopeless },
            { _ in
                attempts += 1
                if attempts <= errors.count { throw errors[attempts - 1] }
                return attempts
            })
    }

    @Test func aSuccessAtOnceIsSilent() async throws {
        #expect(try await attempt([]) == 1)
        #expect(log.text.isEmpty)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func logsEachChangeOnce() async throws {
        #expect(try await attempt([.refused, .refused, .refused, .asleep, .asleep]) == 6)
        let told = try log.objects().map { "\($0["level"] ?? "") \($0["error"] ?? "") \($0["name"] ?? "")" }
        #expect(told == ["warning refused database", "warning asleep database", "info  database"])
    }

    @Test func waitsWithinTheBoundsOfTheBackoff() async throws {
        _ = try await attempt(Array(repeating: .refused, count: 40))
        #expect(clock.sleeps.count == 40)
        for (sleep, bound) in zip(clock.sleeps, [1, 2] + Array(repeating: 4, count: 38)) {
            #expect(sleep <= .seconds(bound))
        }
    }

    @Test func givesUpOnWhatCannotHelp() async {
        await #expect(throws: Trouble.hopeless) { try await attempt([.refused, .hopeless]) }
    }

    @Test func cancellationEndsIt() async {
        let (log, clock) = (log, clock)
        let task = Task {
            try await keepTrying("database", clock: clock, logger: log.logger()) { _ in throw Trouble.refused }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func anOutageIsToldOnceAndItsEndToo() throws {
        let outage = OutageLog(subject: "broker", logger: log.logger())
        outage.succeeded()
        outage.failed(Trouble.refused)
        outage.failed(Trouble.refused)
        outage.succeeded()
        outage.succeeded()
        outage.failed(Trouble.refused)
        #expect(try log.messages() == ["Failed and is tried again", "Works again", "Failed and is tried again"])
    }
}
