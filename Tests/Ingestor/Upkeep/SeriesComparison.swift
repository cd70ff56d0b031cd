import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Compares a person's series, read with the Gateway's rights, with the samples.
struct SeriesComparison: Sendable {
    private let fixture: UpkeepFixture
    private let gateway: PostgresConnection
    private let account: Account.ID

    static func with(_ fixture: UpkeepFixture, _ body: (SeriesComparison) async throws -> Void) async throws {
        try await fixture.store.owner.executeScript("GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway")
        let gateway = try await PostgresConnection.connect(StoreFixture.configuration(fixture.store.database, .gateway))
        let account = try #require(
            try await fixture.store.owner.execute(
                AddAccount(email: "one@example.org", passwordHash: "scrypt$test", locale: "en", timeZone: "UTC")
            ).first)
        try await body(SeriesComparison(fixture: fixture, gateway: gateway, account: account))
        await gateway.close()
    }

    /// Compares a series with random ends, resolution and periods of the person.
    func compare(_ water: StoredWater, _ generator: inout SeededGenerator) async throws {
        let span = (Timestamp.now - fixture.start).components.seconds
        func time() -> Timestamp { fixture.start + .seconds(Int64.random(in: 0...span, using: &generator)) }
        let ends = [time(), time()].sorted()
        let bounds = [time(), time(), time(), time()].sorted()
        let number = Int.random(in: fixture.store.devices.indices, using: &generator)
        let device = fixture.store.devices[number]
        let name = try #require(Device.HardwareID("tank-\(number + 1)"))
        let parameter = Parameter.allCases.randomElement(using: &generator) ?? .ph
        let points = [1, 2, 30, 2_000].randomElement(using: &generator) ?? 30
        // Few rows force hours or days.
        let mostRows = [nil, 60, 10, 2].randomElement(using: &generator) ?? nil
        try await watch(device, [bounds[0]..<bounds[1], bounds[2]..<bounds[3]])
        let series = try await read(name, parameter, ends[0]..<ends[1], points: points, mostRows: mostRows)
        let expected = water.points(
            of: parameter, device,
            within: [bounds[0]..<bounds[1], bounds[2]..<bounds[3]].map { $0.clamped(to: ends[0]..<ends[1]) }, .message)
        let values = expected.map(\.sum)
        #expect(series.points.count <= points)
        #expect(series.statistics.count == Int64(values.count))
        #expect(series.statistics.least?.value == values.map(\.minimum).min())
        #expect(series.statistics.greatest?.value == values.map(\.maximum).max())
        #expect((series.statistics.mean == nil) == values.isEmpty)
        if let mean = series.statistics.mean, let least = series.statistics.least,
            let greatest = series.statistics.greatest
        {
            #expect(mean >= Double(least.value) - 1e-9 && mean <= Double(greatest.value) + 1e-9)
        }
        #expect(series.points.reduce(0) { $0 + $1.count } == Int64(values.count))
        #expect(series.points.map(\.least.value).min() == values.map(\.minimum).min())
        #expect(series.points.map(\.greatest.value).max() == values.map(\.maximum).max())
        guard series.resolution == .message else { return }
        for (time, _) in [series.statistics.least, series.statistics.greatest].compactMap({ $0 }).map({
            ($0.time, $0.value)
        }) {
            #expect(expected.contains { $0.time == time })
        }
    }

    /// The series of a device that belongs to the person in that period.
    func series(
        of number: Int, _ parameter: Parameter, in period: Range<Timestamp>, points: Int, mostRows: Int
    ) async throws -> Series {
        try await watch(fixture.store.devices[number], [period])
        let name = try #require(Device.HardwareID("tank-\(number + 1)"))
        return try await read(name, parameter, period, points: points, mostRows: mostRows)
    }

    private func read(
        _ name: Device.HardwareID, _ parameter: Parameter, _ period: Range<Timestamp>, points: Int, mostRows: Int?
    ) async throws -> Series {
        let account = account
        return try await gateway.transaction(SeriesRequest.transaction) { transaction in
            try transaction.perform(NamePerson(account))
            let found = try transaction.execute(FindWatchSubject(parameter, of: name, for: account))
            return try SeriesRequest(period, points: points, mostRows: mostRows)
                .perform(of: #require(found.first), in: transaction)
        }
    }

    private func watch(_ device: DeviceKey, _ periods: [Range<Timestamp>]) async throws {
        let rows = periods.map {
            "(\(device.slot.rawValue), \(device.device.rawValue), \(account.rawValue), 'watcher', 'Pond', "
                + "'\($0.lowerBound)', '\($0.upperBound)')"
        }
        try await fixture.store.owner.executeScript(
            """
            DELETE FROM ownership;
            INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at, unlinked_at)
            VALUES \(rows.joined(separator: ", "));
            """)
    }
}

/// Names the person of a transaction without a session.
private struct NamePerson: Statement {
    static let sql = "SELECT name_person($1)"
    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
}
