import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import RulesEngine

/// A database that the next version has migrated, while this one's services still run.
@Suite struct LaterVersionTests {
    @Test func settingsOfAnUnknownParameterAreNotRead() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            try await fixture.database.sql(
                """
                ALTER TABLE setting DROP CONSTRAINT setting_parameter_check, DROP CONSTRAINT setting_position_check;
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position)
                SELECT slot, device_id, account_id, \(Parameter.count), 1, 'ppm', 'red', \(Parameter.count) FROM ownership
                """)
            let known = Parameter.allCases.map(\.rawValue)
            let settings = try await fixture.owner.execute(ListSettings(of: device, by: account))
            #expect(settings.map(\.parameter.rawValue).sorted() == known)
            let rules = try await fixture.owner.execute(LoadRules([device]))
            #expect(rules.map(\.parameter.rawValue).sorted() == known)
            let units = try await fixture.owner.execute(FindUnits(of: device, for: account))
            #expect(units.map(\.parameter.rawValue).sorted() == known)
        }
    }

    /// The hour before ended outside, so that this hour is in question: for the version that knows the parameter.
    @Test func timeOutsideOfAnUnknownParameterIsLeftAsItIs() async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("tank-1")
            try await fixture.link(device, to: account)
            let now = try #require(try await fixture.owner.execute(ReadClock()).first)
            try await fixture.database.sql(
                """
                ALTER TABLE setting DROP CONSTRAINT setting_parameter_check, DROP CONSTRAINT setting_position_check;
                UPDATE setting SET valid_until = valid_from;
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position, valid_from)
                SELECT slot, device_id, account_id, p, 2, 'ppm', 85, 'red', p, now() - interval '1 day'
                FROM ownership, unnest(ARRAY[1, \(Parameter.count)]) AS p;
                INSERT INTO time_outside (slot, device_id, account_id, parameter, day, seconds)
                SELECT slot, device_id, account_id, p, day, array_fill(60::smallint, ARRAY[24])
                FROM ownership, unnest(ARRAY[1, \(Parameter.count)]) AS p,
                    unnest(ARRAY[date_trunc('day', now(), 'UTC'), date_trunc('day', now() - interval '1 hour', 'UTC')]) AS day
                ON CONFLICT DO NOTHING
                """)
            let hour = ClaimedHour(slot: device.slot, start: now.roundedDown(to: RollUpSchedule.hour))
            let questions = try await fixture.owner.execute(FindLimitsInQuestion(hour, devices: []))
            #expect(questions.map(\.parameter) == [.ph])
            _ = try await fixture.owner.execute(WriteTimeOutside([], in: hour, devices: []))
            #expect(
                try await fixture.database.sql(
                    "SELECT parameter, count(*) FILTER (WHERE 0 = ANY (seconds)) FROM time_outside GROUP BY 1 ORDER BY 1"
                )
                    == "1|1\n\(Parameter.count)|0")
        }
    }
}
