import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// A project of Ana's, other people, and devices that are nobody's.
struct ProjectScene: Sendable {
    let fixture: SchemaFixture
    let project: Int64
    let ana: Int64
    /// Those who may join.
    let others: [Int64]
    let devices: [DeviceKey]

    static func with(
        others: Int = 4, devices: Int = 4, _ body: @Sendable (ProjectScene) async throws -> Void
    ) async throws {
        try await SchemaFixture.with { fixture in
            let ana = try await fixture.addAccount("ana").rawValue
            var people: [Int64] = []
            for number in 0..<others { people.append(try await fixture.addAccount("person-\(number)").rawValue) }
            var keys: [DeviceKey] = []
            for number in 0..<devices { keys.append(try await fixture.addDevice("tank-\(number)")) }
            let project = try #require(
                Int64(try await fixture.database.sql("SET aqua.account = '\(ana)'; SELECT create_project('Koi Farm')")))
            try await body(
                ProjectScene(fixture: fixture, project: project, ana: ana, others: people, devices: keys))
        }
    }

    /// Runs SQL as a person, or as the project.
    @discardableResult func sql(_ text: String, as account: Int64? = nil) async throws -> String {
        try await fixture.database.sql("SET aqua.account = '\(account ?? ana)'; \(text)")
    }

    func link(_ device: Int, to account: Int64? = nil) async throws {
        try await fixture.link(devices[device], to: Account.ID(rawValue: account ?? project))
    }

    /// Invites by Ana, and joins.
    func join(_ person: Int64, as role: String) async throws -> String {
        let token = "sha256(convert_to('\(person) \(role) ' || random(), 'UTF8'))"
        return try await fixture.database.sql(
            """
            SELECT \(token) AS token \\gset
            SET aqua.account = '\(ana)';
            SELECT outcome AS made FROM invite_to_project(\(project), :'token', '\(role)', NULL, interval '7 days') \\gset
            SET aqua.account = '\(person)';
            SELECT outcome FROM join_project(:'token')
            """)
    }

    func member(_ person: Int64) async throws -> String {
        try await fixture.database.sql(
            "SELECT member_id FROM project_member WHERE project_id = \(project) AND account_id = \(person)")
    }

    func remove(_ person: Int64, by account: Int64? = nil) async throws -> String {
        try await sql("SELECT end_membership(\(project), \(try await member(person)))", as: account)
    }

    func change(_ person: Int64, to role: String, by account: Int64? = nil) async throws -> String {
        try await sql(
            "SELECT change_member(\(project), \(try await member(person)), '\(role)', false, NULL)", as: account)
    }

    func unlink(_ device: Int) async throws -> String {
        let key = devices[device]
        return try await sql(
            """
            SELECT unlink_device(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(project),
                sha256(convert_to('\(device) ' || random(), 'UTF8')), '\(SchemaFixture.keyID)')
            """,
            as: project)
    }

    func move(_ device: Int, by account: Int64) async throws -> String {
        let key = devices[device]
        return try await sql(
            "SELECT move_device(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(project))", as: account)
    }

    /// Changes the greatest value of pH that an account wants of a device, as the Gateway does.
    func setMaximum(_ maximum: Int32, on device: Int, of account: Int64, colour: String? = nil) async throws {
        let key = WatchKey(device: devices[device], parameter: .ph, account: Account.ID(rawValue: account))
        try await fixture.owner.transaction { transaction in
            let current = try #require(try transaction.execute(ReadSetting(key)).first)
            var next = current
            next.maximum = maximum
            if let colour { next.colour = colour }
            try transaction.replaceSetting(key, current, by: next)
        }
    }

    /// The greatest value of pH that each account wants of a device now, the version, and whether it follows.
    func maxima(on device: Int) async throws -> [String: String] {
        let key = devices[device]
        let rows = try await fixture.database.sql(
            """
            SELECT account_id || '=' || concat_ws(' ', maximum, version, follows) FROM setting
            WHERE slot = \(key.slot.rawValue) AND device_id = \(key.device.rawValue) AND parameter = 1 AND valid_until IS NULL
            """)
        return rows.split(separator: "\n").reduce(into: [:]) { all, row in
            let parts = row.split(separator: "=")
            all[String(parts[0])] = String(parts[1])
        }
    }
}
