import Foundation
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// A person's export contains all of their data, and no secrets.
@Suite struct ExportTests {
    private func parsed(_ json: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    /// The versions of settings of all devices of a person, in pages of three.
    private func versions(of account: Account.ID, _ transaction: PostgresTransaction) throws -> [String] {
        var found: [String] = []
        for device in try transaction.execute(ExportDevices(of: account, after: 0, limit: 10)) {
            var after: ExportSettings.Cursor?
            repeat {
                let page = try transaction.execute(ExportSettings(of: account, device.number, after: after, limit: 3))
                #expect(page.count <= 3)
                found += page.map(\.json)
                after = page.last?.cursor
            } while after != nil
        }
        return found
    }

    @Test func aPersonExportsEverythingOfTheirs() async throws {
        try await TwoPeople.with { people in
            let (account, key) = (people.anna.account, people.anna.device)
            let (person, devices, settings, episodes, alerts) = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try (
                    transaction.execute(ExportAccount(account)),
                    transaction.execute(ExportDevices(of: account, after: 0, limit: 10)),
                    versions(of: account, transaction),
                    transaction.execute(ExportEpisodes(of: key, account, after: nil, limit: 10)),
                    transaction.execute(ExportAlerts(of: account, after: nil, limit: 10))
                )
            }
            let text = try #require(person.first)
            #expect(!text.contains("scrypt") && !text.contains("ben") && text.contains("\"lastFour\" : \"abcd\""))
            let own = try parsed(text)
            for list in ["endpoints", "sessions", "personalTokens", "invitations"] {
                #expect((own[list] as? [Any])?.count == 1, "\(list)")
            }
            #expect((own["invitations"] as? [[String: Any]])?.first?["readings"] as? String == "sinceJoining")
            #expect(devices.map(\.hardwareID) == ["tank-anna"])
            let probes = try #require(try parsed(devices[0].json)["probes"] as? [[String: Any]])
            #expect(probes.map { $0["id"] as? String } == ["AA01", "AA02"])
            #expect(probes.map { $0["chosen"] as? Bool } == [true, false])
            #expect(probes.map { $0["temperature"] as? Double } == [nil, 19])
            #expect(settings.count == Parameter.allCases.count)
            let ph = try #require(try settings.map(parsed).first { $0["parameter"] as? String == "ph" })
            let limit = Parameter.ph.defaults.maximum.map { Double(Parameter.ph.value(of: $0)) }
            #expect(abs((ph["maximum"] as? Double ?? 0) - (limit ?? 1)) < 0.001)
            #expect(episodes.count == 1 && episodes[0].json.contains("\"opened\""))
            #expect(alerts.count == 1 && alerts[0].json.contains("\"503\""))
        }
    }

    @Test func readingsComePageByPage() async throws {
        try await TwoPeople.with { people in
            let key = people.anna.device
            let lines = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                var lines: [ExportedLine] = []
                while true {
                    let page = try transaction.execute(ExportReadings(of: key, after: lines.last?.time, limit: 20))
                    if page.isEmpty { return lines }
                    lines += page.map(\.line)
                }
            }
            #expect(lines.count == 51)
            let columns = ExportReadings.columns.count
            #expect(columns == 2 + 2 * Parameter.count)
            #expect(
                lines.allSatisfy {
                    $0.text.split(separator: ",", omittingEmptySubsequences: false).count == 2 + Parameter.count
                }, "without their codes")
            #expect(lines[0].text.contains("Z,,7,,"), "pH alone")
            let hours = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try transaction.execute(ExportHours(of: key, after: nil, limit: 20))
            }
            #expect(hours.count == 1)
            #expect(
                hours[0].text.split(separator: ",", omittingEmptySubsequences: false).count == ExportHours.columns.count
            )
        }
    }

    /// The worst code of an hour, if its day has been checked with the QARTOD tests.
    @Test func hoursHaveTheirCodes() async throws {
        try await TwoPeople.with { people in
            let key = people.anna.device
            func code(_ change: String) async throws -> Substring? {
                try await people.fixture.database.sql(change)
                let hours = try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(people.anna.session))
                    return try transaction.execute(ExportHours(of: key, after: nil, limit: 20))
                }
                let cells = hours[0].text.split(separator: ",", omittingEmptySubsequences: false)
                return zip(ExportHours.columns, cells).first { $0.0 == "ph_qc" }?.1
            }
            let later = "date_trunc('hour', now(), 'UTC') + interval '3 days'"
            let day = "date_trunc('day', now() - interval '3 hours', 'UTC')"
            let codes = [
                // Today has not been judged yet.
                try await code("DELETE FROM quality_due"),
                try await code("UPDATE rollup_progress SET hours_until = \(later)"),
                try await code("UPDATE sample_hour SET ph_flagged = 10"),
                try await code("UPDATE sample_hour SET ph_flagged = 13"),
                try await code("UPDATE sample_hour SET ph_flagged = 0"),
                try await code("UPDATE sample_hour SET ph_flagged = NULL"),
                try await code("INSERT INTO quality_due SELECT slot, device_id, \(day) FROM device"),
                try await code("UPDATE sample_hour SET ph_flagged = 10"),
                try await code("UPDATE sample_hour SET ph_flagged = NULL"),
                try await code("DELETE FROM quality_due"),
                // This day was never judged: judging began later.
                try await code("UPDATE rollup_progress SET judged_since = \(day) + interval '24 hours'"),
            ]
            #expect(codes == ["2", "1", "3", "4", "2", "1", "2", "3", "2", "1", "2"])
        }
    }

    @Test func thePagesOfAnotherAreEmpty() async throws {
        try await TwoPeople.with { people in
            let (account, key) = (people.ben.account, people.ben.device)
            let found = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                return try transaction.execute(ExportAccount(account)).count
                    + transaction.execute(ExportDevices(of: account, after: 0, limit: 10)).count
                    + transaction.execute(ExportSettings(of: account, 2, after: nil, limit: 10)).count
                    + transaction.execute(ExportEpisodes(of: key, account, after: nil, limit: 10)).count
                    + transaction.execute(ExportAlerts(of: account, after: nil, limit: 10)).count
                    + transaction.execute(ExportReadings(of: key, after: nil, limit: 10)).count
                    + transaction.execute(ExportHours(of: key, after: nil, limit: 10)).count
            }
            #expect(found == 0)
        }
    }
}
