import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

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
        }
    }
}
