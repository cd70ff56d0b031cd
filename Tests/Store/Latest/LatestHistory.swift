import TestSupport
import WaterQuality

@testable import Store

/// A random history of devices in slot 63, as SQL: what they sent and when it was rolled up, and what then came late, was deleted or was erased.
struct LatestHistory {
    private static let devices = 3_001...3_008
    /// Minutes that end after the hour in which seven days ago lies: of that hour the statement of before showed values that are a little older.
    private static let week = 9_900

    private var generator: SeededGenerator
    private var statements: [String] = []

    static func sql(seed: UInt64, of account: Account.ID) -> String {
        var history = LatestHistory(generator: SeededGenerator(seed: seed))
        history.write(of: account)
        return history.statements.joined(separator: "\n")
    }

    private init(generator: SeededGenerator) { self.generator = generator }

    private mutating func one<Choice>(of choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &generator)]
    }

    private mutating func write(of account: Account.ID) {
        statements.append(
            """
            INSERT INTO device (slot, hardware_id, claim_code_hash, device_id) OVERRIDING SYSTEM VALUE
            SELECT 63, 'pond-' || n, sha256(n::text::bytea), n FROM generate_series(\(Self.devices.lowerBound), \(Self.devices.upperBound)) n;
            UPDATE rollup_progress r SET hours_since = least(r.hours_since, n.until), hours_until = n.until
            FROM (SELECT date_trunc('hour', now(), 'UTC') - interval '\(one(of: [1, 2, 5, 30, 60])) hours' AS until) n WHERE r.slot = 63;
            """)
        for device in Self.devices {
            own(device, account)
            send(device)
        }
        statements.append(Self.rollUps)
        for device in Self.devices {
            for _ in 0..<one(of: [0, 0, 1, 3]) { change(device) }
        }
    }

    /// An owner, a former owner, or a person who may look since a while.
    private mutating func own(_ device: Int, _ account: Account.ID) {
        let since = one(of: [
            "'-infinity'", "now() - interval '\(Int.random(in: 1..<12_000, using: &generator)) minutes'",
        ])
        let role = one(of: ["owner", "owner", "watcher"])
        let until = one(of: ["NULL", "NULL", "NULL", "now() - interval '1 hour'"])
        statements.append(
            """
            INSERT INTO ownership (slot, device_id, account_id, name, linked_at, unlinked_at, role, readings_from)
            VALUES (63, \(device), \(account.rawValue), 'Pond', now() - interval '40 days', \(until), '\(role)', \(since));
            """)
    }

    /// Messages with all parameters of the device, with one each, or with some.
    private mutating func send(_ device: Int) {
        let measured = Array(
            Parameter.allCases.shuffled(using: &generator).prefix(Int.random(in: 1...7, using: &generator)))
        let most = one(of: [measured.count, 1, 0])
        let span = one(of: [30, 120, 600, 3_000, Self.week])
        let rows = (0..<one(of: [0, 1, 5, 40, 200])).map { _ in
            let count = most == 0 ? Int.random(in: 0...measured.count, using: &generator) : most
            var sent = Set(measured.shuffled(using: &generator).prefix(count))
            if Int.random(in: 0..<30, using: &generator) == 0 { sent.insert(one(of: Parameter.allCases)) }
            let values = Parameter.allCases.map {
                sent.contains($0) ? "\(Int.random(in: 1...99, using: &generator))" : "NULL"
            }
            let age = Int.random(in: -8 * 60_000...span * 60_000, using: &generator)
            return
                "(63, 0, \(device), now() - interval '\(age) milliseconds', now(), \(values.joined(separator: ", ")))"
        }
        guard !rows.isEmpty else { return }
        statements.append(
            "INSERT INTO sample (\(SampleColumns.names)) VALUES \(rows.joined(separator: ",\n")) ON CONFLICT DO NOTHING;"
        )
    }

    /// The counts of hours that are over, and of days whose hours all are; nothing else of roll-ups is read.
    private static let rollUps = """
        INSERT INTO sample_hour (slot, device_id, starts_at, \(SampleColumns.each { "\($0)_count" }))
        SELECT slot, device_id, date_bin('1 hour', event_time, 'epoch'), \(SampleColumns.each { "nullif(count(\($0)), 0)" })
        FROM sample WHERE slot = 63 AND event_time < (SELECT hours_until FROM rollup_progress WHERE slot = 63) GROUP BY 1, 2, 3;
        INSERT INTO sample_day (slot, device_id, starts_at, \(SampleColumns.each { "\($0)_count" }))
        SELECT slot, device_id, date_bin('24 hours', starts_at, 'epoch'), \(SampleColumns.each { "sum(\($0)_count)" })
        FROM sample_hour
        WHERE slot = 63 AND date_bin('24 hours', starts_at, 'epoch') + interval '24 hours'
            <= (SELECT hours_until FROM rollup_progress WHERE slot = 63)
        GROUP BY 1, 2, 3;
        """

    /// A change of an hour that may be rolled up, with its mark, of the device alone or of the whole slot.
    private mutating func change(_ device: Int) {
        let time = "now() - interval '\(Int.random(in: 60...Self.week, using: &generator)) minutes'"
        let hour = "date_bin('1 hour', \(time), 'epoch')"
        let within =
            "slot = 63 AND device_id = \(device) AND event_time >= \(hour) AND event_time < \(hour) + interval '1 hour'"
        let late = one(of: Parameter.allCases).name
        statements.append(
            one(of: [
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, \(late)) VALUES (63, 0, \(device), \(time), now(), 77)
                ON CONFLICT DO NOTHING;
                """,
                "UPDATE sample SET deleted = 1, \(SampleColumns.each { "\($0) = NULL" }) WHERE \(within);",
                "DELETE FROM sample WHERE \(within);",
            ]))
        let marked = one(of: ["\(device)", "\(device)", "NULL"])
        statements.append("INSERT INTO rollup_due (slot, device_id, hour) VALUES (63, \(marked), \(hour));")
    }
}
