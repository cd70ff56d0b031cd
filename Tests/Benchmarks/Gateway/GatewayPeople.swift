import Foundation
import Postgres
import Secrets
import Store
import TestSupport
import WaterQuality

/// Kinds of requests that people make.
enum PeopleRequest: Hashable, Sendable {
    case latest, series
    /// The last values of all of a person's devices.
    case overview
}

/// People with a device and a personal token each; members of projects have one of many.
struct GatewayPeople: Sendable {
    let devices: [String]
    /// The token of each device's person.
    let tokens: [String]
    let hashes: [[UInt8]]

    private init(devices: [String], tokens: [PersonalToken]) {
        self.devices = devices
        self.tokens = tokens.map(\.text)
        hashes = tokens.map(\.hash)
    }

    /// Their requests, by turns.
    func requests(_ kinds: [PeopleRequest], at base: String, rate: Int) -> GatewayRequests<PeopleRequest> {
        GatewayRequests(people: AskingPeople(base: base, tokens: tokens), rate: rate, kinds: kinds) {
            [devices] kind, person, _ in
            switch kind {
            case .latest: "/api/v1/devices/\(devices[person])/readings/latest"
            case .series: "/api/v1/devices/\(devices[person])/parameters/temperature/series?points=300"
            case .overview: "/api/v1/readings/latest"
            }
        }
    }

    /// The first owners of the load's fleet, with a token for each.
    static func ofLoad(_ count: Int, _ database: TestDatabase) async throws -> GatewayPeople {
        let tokens = (0..<count).map { _ in PersonalToken.generate() }
        try await store(tokens, database)
        return GatewayPeople(devices: (0..<count).map(Fleet.hardwareID), tokens: tokens)
    }

    /// Gives the first accounts a token each.
    static func store(_ tokens: [PersonalToken], _ database: TestDatabase) async throws {
        let rows = tokens.enumerated().map { index, token in
            let hash = token.hash.map { String(format: "%02x", $0) }.joined()
            return "(\(index + 1), '\\x\(hash)', 'bench', 'read', '\(token.lastFour)')"
        }
        try await database.sql(
            """
            INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
            VALUES \(rows.joined(separator: ", "))
            """)
    }

    /// A person for each device of the reporting fleet, with the manual's limits.
    /// - Parameter projects: The projects to which the first devices belong, in the people's place; whoever is a member of one has a token then.
    static func provision(
        _ fleet: ReportingFleet, _ projects: Projects?, _ database: TestDatabase
    ) async throws -> GatewayPeople {
        let tokens = fleet.keys.map { _ in PersonalToken.generate() }
        let connection = try await database.connect(.owner)
        var rows = CopyBuffer()
        for (index, token) in tokens.enumerated() {
            rows.startRow(fields: 4)
            rows.append(Int32(index + 1))
            rows.append(fleet.keys[index].slot.rawValue)
            rows.append(token.hash)
            rows.append(token.lastFour)
        }
        try await connection.executeScript(
            "CREATE TABLE bench_person (number integer, slot smallint, hash bytea, last_four text)")
        try await connection.copy(into: CopyPeople.self, rows: rows)
        let settings = Parameter.ofManual.map { parameter in
            let defaults = parameter.defaults
            let limits = [defaults.minimum, defaults.maximum].map { $0.map { "\($0.count)" } ?? "NULL" }
            return "(\(parameter.rawValue), '\(defaults.unit.rawValue)', \(limits[0]), \(limits[1]), "
                + "'\(defaults.color)', \(defaults.order))"
        }
        let holder = projects.map { projects in
            """
            (SELECT b.project FROM bench_project b WHERE b.number = (p.number - 1) / \(Projects.devicesEach) + 1
                AND p.number <= \(projects.devices))
            """
        }
        try await connection.executeScript(
            """
            INSERT INTO account (account_id, email, password_hash) OVERRIDING SYSTEM VALUE
            SELECT number, 'probe-' || number || '@example.org', 'scrypt$bench' FROM bench_person;
            INSERT INTO device (slot, device_id, hardware_id, claim_code_hash) OVERRIDING SYSTEM VALUE
            SELECT slot, number, 'probe-' || number, sha256(number::text::bytea) FROM bench_person;
            SELECT setval(pg_get_serial_sequence('account', 'account_id'), max(number)),
                setval(pg_get_serial_sequence('device', 'device_id'), max(number)) FROM bench_person;
            \(projects?.founding ?? "")
            ALTER TABLE bench_person ADD COLUMN holder bigint, ADD COLUMN project bigint;
            UPDATE bench_person p SET project = \(holder ?? "NULL");
            UPDATE bench_person SET holder = coalesce(project, number);
            INSERT INTO ownership (slot, device_id, account_id, name, linked_at, project_id)
            SELECT slot, number, holder, 'Tank', now() - interval '30 days', project FROM bench_person;
            INSERT INTO setting (
                slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, valid_from)
            SELECT slot, number, holder, parameter, 1, unit, minimum, maximum, colour, position, now() - interval '30 days'
            FROM bench_person, (VALUES \(settings.joined(separator: ", ")))
                AS s (parameter, unit, minimum, maximum, colour, position);
            INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
            SELECT number, hash, 'bench', 'read', last_four FROM bench_person WHERE number <= \(projects?.members ?? tokens.count);
            \(projects?.joining ?? "")
            """)
        await connection.close()
        let people = 0..<(projects?.members ?? tokens.count)
        return GatewayPeople(
            devices: people.map { "probe-\((projects?.device(ofMember: $0) ?? $0) + 1)" },
            tokens: people.map { tokens[$0] })
    }
}

private enum CopyPeople: CopyStatement {
    static let sql = "COPY bench_person (number, slot, hash, last_four) FROM STDIN (FORMAT binary)"
}
