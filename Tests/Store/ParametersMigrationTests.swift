import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// Migration of an installation that knew nine parameters.
@Suite struct ParametersMigrationTests {
    private static let before = Array(Schema.migrations.prefix { $0.name != "parameters" })

    /// Adds a device as versions of that time did: devices have had more columns since.
    private static func addDevice(_ name: String, _ fixture: SchemaFixture) async throws -> DeviceKey {
        let slot = Slot(of: try #require(Device.HardwareID(name)))
        let number = try await fixture.database.sql(
            """
            INSERT INTO device (slot, hardware_id, claim_code_hash)
            VALUES (\(slot.rawValue), '\(name)', sha256('\(name)')) RETURNING device_id
            """)
        return DeviceKey(slot: slot, device: Device.ID(rawValue: try #require(Int32(number))))
    }

    @Test func whoHasADeviceGetsTheSettingsOfANewlyLinkedOne() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let owner = try await SchemaFixture.connect(database, .owner)
            _ = try await Migrator(Self.before).migrate(on: owner)
            let fixture = SchemaFixture(database: database, owner: owner)
            let (kim, ada) = (try await fixture.addAccount("kim"), try await fixture.addAccount("ada"))
            let (tank, pond) = (
                try await Self.addDevice("tank-1", fixture), try await Self.addDevice("pond-1", fixture)
            )
            let nine = SchemaFixture.defaults.filter { $0.maximum != nil }
            for (device, account) in [(tank, kim), (pond, ada)] {
                try await owner.perform(
                    LinkDevice(device: device, account: account, name: "Water", defaults: nine))
            }
            try await database.sql(
                """
                UPDATE ownership SET unlinked_at = now() WHERE account_id = \(ada.rawValue);
                UPDATE setting SET maximum = 230, position = 8 WHERE parameter = 0;
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now(), now(), 21 FROM device;
                """)
            let rules = "SELECT string_agg(rules_version::text, ' ' ORDER BY device_id) FROM device"
            let version = try await database.sql(rules)

            _ = try await Migrator(Schema.migrations).migrate(on: owner)
            let settings = try await owner.execute(ListSettings(of: tank, by: kim))
            #expect(settings.map(\.parameter.rawValue).sorted() == Parameter.allCases.map(\.rawValue))
            for row in settings where row.parameter.rawValue >= 9 {
                let defaults = row.parameter.defaults
                #expect(row.setting.unit == defaults.unit.rawValue && row.setting.colour == defaults.color)
                #expect(row.setting.minimum == nil && row.setting.maximum == nil && row.setting.version == 1)
                #expect(row.setting.position == defaults.order)
            }
            #expect(settings.first { $0.parameter == .temperature }?.setting.maximum == 230, "what they set stays")
            #expect(try await owner.execute(ListSettings(of: pond, by: ada)).count == 9, "given up before")
            #expect(try await database.sql(rules) == version, "no engine reads its rules again")
            #expect(
                try await database.sql("SELECT DISTINCT temperature, orp IS NULL, filled_more IS NULL FROM sample")
                    == "21|t|t")
            await owner.close()
        }
    }
}
