import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Four hundred minutes of a pH that wanders in and out of its limits, and its stored results.
extension EngineFixture {
    /// Hands the water over as it comes, and decides on it. Every alert arrives at once, and every due all-clear is
    /// sent.
    /// - Returns: The time of the first message.
    func decideWanderingPH(_ seed: UInt64, _ policy: AlertPolicy) async throws -> Timestamp {
        var random = SeededGenerator(seed: seed)
        let start = Timestamp(microseconds: Timestamp.now.microseconds / 1_000_000 * 1_000_000) - .seconds(30_000)
        var value = Float(8)
        let messages: [([Parameter: Float], Timestamp)] = (0..<400).map { number in
            value = min(12, max(4, value + Float.random(in: -0.3...0.3, using: &random)))
            return ([.ph: value, .temperature: 20], start + .seconds(number * 60))
        }
        let memories = [SharedMemory(), SharedMemory()]
        for (index, message) in messages.enumerated() {
            try await hand([message], receivedAt: message.1 + .seconds(1))
            try await claim(memories[index / 7 % memories.count], policy)
            try await arrive(policy)
        }
        return start
    }

    /// Every alert arrives at once, and every due all-clear is sent, and arrives.
    func arrive(_ policy: AlertPolicy) async throws {
        try await owner.transaction { transaction in
            try transaction.perform(Arrive())
            try transaction.perform(HastenAll())
            _ = try RecoverySweep(policy: policy).perform(transaction, now: .now)
            try transaction.perform(Arrive())
        }
    }

    /// Marks all alerts as delivered. An all-clear gives earlier charges back.
    private struct Arrive: Statement {
        static let sql = """
            WITH told AS (
                UPDATE alert SET state = 'delivered' WHERE state = 'decided' RETURNING *
            )
            DELETE FROM throttle t USING told r
            WHERE r.purpose = 'recovery' AND t.slot = r.slot AND t.device_id = r.device_id AND t.parameter = r.parameter
                AND t.account_id = r.account_id AND t.alert_id < r.alert_id
                AND (t.kind = r.kind OR r.kind = 'range' AND t.kind IN ('low', 'high'))
            """
    }

    private struct HastenAll: Statement {
        static let sql = "UPDATE episode SET recovery_due_at = now() WHERE recovery_due_at IS NOT NULL"
    }

    /// The person's watch on pH.
    func phSubject() async throws -> WatchSubject {
        let hardwareID = try #require(Device.HardwareID("tank-1"))
        return try #require(try await owner.execute(FindWatchSubject(.ph, of: hardwareID, for: account)).first)
    }

    /// Reads the stored values page by page.
    func pastReadings(
        _ subject: WatchSubject, in period: Range<Timestamp>, withHistory: Bool = false
    ) async throws
        -> PastReadings
    {
        var past = PastReadings(of: .ph, in: period)
        while let page = past.nextPage() {
            past.add(
                try await owner.transaction { transaction in
                    try transaction.perform(ActForPerson(account))
                    return try transaction.execute(ReadPastValues(subject.watch, in: page, withHistory: withHistory))
                })
        }
        return past
    }

    /// Chooses another temperature probe of the device.
    func chooseProbe(at time: Timestamp) async throws {
        _ = try await sql(
            """
            INSERT INTO temperature_probe (slot, device_id, probe_id, chosen_at)
            VALUES (\(device.slot.rawValue), \(device.device.rawValue), 'AA02', '\(time.iso8601)')
            """)
    }

    /// Hands over a temperature each minute, and lets engines decide on it.
    /// - Parameters:
    ///   - minutes: The minutes since `start`.
    ///   - sizes: The number of messages that each claim takes, in turn.
    ///   - memories: The memories of the engines that decide in turn.
    ///   - behind: The lag of the device's clock.
    func decide(
        _ minutes: Range<Int>, since start: Timestamp, sizes: [Int], _ memories: [SharedMemory], _ policy: AlertPolicy,
        behind: Duration = .zero, value: (Int) -> Float
    ) async throws {
        var (rest, turn) = (minutes[...], 0)
        while let first = rest.first {
            let taken = first..<min(rest.endIndex, first + sizes[turn % sizes.count])
            rest = rest[taken.upperBound...]
            try await hand(
                taken.map { ([.temperature: value($0)], start + .seconds(60 * $0) - behind) },
                receivedAt: start + .seconds(60 * taken.upperBound - 59))
            try await claim(memories[turn % memories.count], policy)
            turn += 1
        }
    }
}

extension EngineFixture {
    /// Waits until a query answers true.
    func fact(_ query: String) async throws {
        _ = try await awaitFact(query) { try await sql(query) == "t" ? true : nil }
    }
}
