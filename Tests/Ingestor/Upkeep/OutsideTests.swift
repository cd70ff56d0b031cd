import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// The time outside is stored with the hours, and does not depend on its source.
@Suite struct OutsideTests {
    /// Adds a person whose limits of temperature and pH change in between, from some time after the first readings.
    private static func watch(_ fixture: UpkeepFixture, from changes: [Timestamp]) async throws -> Account.ID {
        let account = try #require(
            try await fixture.store.owner.execute(
                AddAccount(email: "one@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC")
            ).first)
        let ends = changes.dropFirst().map { "'\($0)'::timestamptz" } + ["NULL"]
        let versions = zip(changes, ends).enumerated().map { index, version in
            """
            INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, valid_from,
                valid_until)
            SELECT slot, device_id, \(account.rawValue), p, \(index + 1), CASE p WHEN 0 THEN 'C' ELSE '' END,
                CASE p WHEN 0 THEN \(200 + 5 * index) ELSE NULL END, CASE p WHEN 0 THEN 240 ELSE \(80 - index) END, 'red', p,
                '\(version.0)', \(version.1)
            FROM device, generate_series(0, 1) p;
            """
        }
        try await fixture.store.owner.executeScript(
            """
            INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, readings_from)
            SELECT slot, device_id, \(account.rawValue), 'watcher', 'Pond', '\(changes[0])', '-infinity' FROM device;
            UPDATE ownership SET readings_from = '-infinity';
            \(versions.joined(separator: "\n"))
            """)
        return account
    }

    private static func series(
        _ fixture: UpkeepFixture, _ owner: PostgresConnection, of number: Int, _ parameter: Parameter,
        for account: Account.ID, in period: Range<Timestamp>, mostRows: Int?
    ) async throws -> Series {
        let name = try #require(Device.HardwareID("tank-\(number + 1)"))
        return try await owner.transaction(SeriesRequest.transaction) { transaction in
            try transaction.perform(ActForPerson(account))
            let found = try transaction.execute(FindWatchSubject(parameter, of: name, for: account))
            return try SeriesRequest(period, points: 2_000, mostRows: mostRows)
                .perform(of: #require(found.first), in: transaction)
        }
    }

    /// The seconds between readings: every minute, four times an hour, and in bursts every two hours.
    private static let pauses = [[60], [900], [20, 20, 7_160]]

    /// The longest time for which a value of each device holds, in seconds.
    private static let longest = [360, 2_700, 21_600]

    /// The number of outages: pauses longer than usual.
    private static func outages(_ samples: [Sample], of device: DeviceKey, _ number: Int) -> Int {
        let times = samples.filter { $0.key.owner == device }.map(\.eventTime)
        return zip(times.dropFirst(), times)
            .count { !pauses[number].contains(Int(($0 - $1).wholeMicroseconds / 1_000_000)) }
    }

    /// Readings of the three devices, with outages.
    private static func water(_ fixture: UpkeepFixture, _ random: inout SeededGenerator) -> [Sample] {
        var samples: [Sample] = []
        for (device, pauses) in Self.pauses.enumerated() {
            var time = fixture.start + .seconds(60)
            var step = 0
            var warm: Float = 22
            while time < .now - .seconds(60) {
                warm = min(28, max(17, warm + Float(Int.random(in: -10...10, using: &random)) / 10))
                var values: [Parameter: Float] = [.temperature: warm]
                // Rarely without pH: how long its values hold would depend on what had come when an hour was rolled up.
                if Int.random(in: 0..<30, using: &random) > 0 {
                    values[.ph] = Float(Int.random(in: 76...82, using: &random)) / 10
                }
                samples.append(fixture.sample(device, at: time, values))
                let isOut = Int.random(in: 0..<200, using: &random) == 0
                time =
                    time
                    + .seconds(isOut ? Int.random(in: 3_000...20_000, using: &random) : pauses[step % pauses.count])
                step += 1
            }
        }
        return samples
    }

    @Test(arguments: 1...UInt64(4)) func spansAgree(_ seed: UInt64) async throws {
        try await UpkeepFixture.with { fixture in
            try await fixture.store.withWriter { writer in
                var random = SeededGenerator(seed: seed)
                let changes = [20, 31.4, 50].map { fixture.start + .seconds(3_600 * $0) }
                let account = try await Self.watch(fixture, from: changes)
                let samples = Self.water(fixture, &random)
                // Some samples arrive after their hours have been rolled up.
                let late = Set(samples.indices.filter { _ in Int.random(in: 0..<12, using: &random) == 0 })
                for part in [samples.indices.filter { !late.contains($0) }, late.shuffled(using: &random)] {
                    for start in stride(from: 0, to: part.count, by: 900) {
                        let batch = part[start..<min(start + 900, part.count)].map { samples[$0] }
                        let work = BatchTransaction(samples: batch, statuses: [], rejects: [])
                        _ = try await writer.write(work, carefully: true)
                    }
                    try await fixture.rollUp()
                    try await fixture.rollUp()
                }
                let owner = try await PostgresConnection.connect(
                    StoreFixture.configuration(fixture.store.database, .owner))
                let period = fixture.start ..< .now
                for device in fixture.store.devices.indices {
                    for parameter in [Parameter.temperature, .ph] {
                        var found: [HistoryResolution: Duration] = [:]
                        for mostRows in [nil, 100, 3] as [Int?] {
                            let series = try await Self.series(
                                fixture, owner, of: device, parameter, for: account, in: period, mostRows: mostRows)
                            found[series.resolution] = series.statistics.outOfRange
                            #expect(series.statistics.undecided == .zero)
                        }
                        let message = try #require(found[.message])
                        #expect(found.count == 3 && message > .seconds(3_600), "\(found)")
                        // Which readings count as one depends on where the search begins: that shows at outages, by as
                        // long as a value holds.
                        let outages = Self.outages(samples, of: fixture.store.devices[device], device)
                        let edge = Double(1_800 + outages * Self.longest[device])
                        for other in found.values {
                            #expect(abs((other - message) / .seconds(1)) < edge, "\(device) \(parameter): \(found)")
                        }
                        // The time before the first limits counts as inside.
                        let before = try await Self.series(
                            fixture, owner, of: device, parameter, for: account,
                            in: fixture.start..<changes[0].roundedDown(to: .seconds(3_600)), mostRows: 30)
                        #expect(before.resolution == .hour && before.statistics.outOfRange == .zero)
                    }
                }
                await owner.close()
            }
        }
    }

    /// Twenty minutes outside in each hour give the same share for messages, hours and days.
    @Test func aThirdOfEachHourIsAThirdOfEachDay() async throws {
        try await Self.expect(
            .seconds(48 * 1_200), from: 0, every: 60, of: { $0 % 60 < 20 ? 25 : 22 })
    }

    /// A value that held when its limits began is outside from then on, also in an hour without any reading.
    @Test func limitsThatBeginWhileAValueHolds() async throws {
        // A reading every two hours, and limits from the middle of an hour between.
        let from = 20 * 3_600 + 5_400
        try await Self.expect(
            .seconds(2 * 86_400 - from), from: from, every: 7_200, of: { _ in 25 })
    }

    /// - Parameters:
    ///   - outside: The time outside in the first two days.
    ///   - start: When the limits begin, in seconds since the first midnight.
    ///   - pause: The seconds between readings.
    ///   - temperature: The value of each reading by its number, in degrees Celsius.
    private static func expect(
        _ outside: Duration, from start: Int, every pause: Int, of temperature: @Sendable (Int) -> Float
    ) async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            try await fixture.store.withWriter { writer in
                let account = try await watch(fixture, from: [fixture.start + .seconds(start)])
                let count = Int((Timestamp.now - fixture.start) / .seconds(pause))
                let samples = (0..<count).map { index in
                    fixture.sample(
                        0, at: fixture.start + .seconds(pause * index), [.temperature: temperature(index)])
                }
                for start in stride(from: 0, to: samples.count, by: 1_000) {
                    let batch = Array(samples[start..<min(start + 1_000, samples.count)])
                    _ = try await writer.write(
                        BatchTransaction(samples: batch, statuses: [], rejects: []), carefully: true)
                }
                try await fixture.rollUp()
                let owner = try await PostgresConnection.connect(
                    StoreFixture.configuration(fixture.store.database, .owner))
                for mostRows in [nil, 100, 2] as [Int?] {
                    let series = try await Self.series(
                        fixture, owner, of: 0, .temperature, for: account,
                        in: fixture.start..<fixture.start + .seconds(2 * 86_400), mostRows: mostRows)
                    #expect(series.statistics.outOfRange == outside, "\(series.resolution)")
                }
                await owner.close()
            }
        }
    }
}
