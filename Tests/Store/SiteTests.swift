import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor
@testable import Store

/// Sites beside the devices among which they are kept.
@Suite struct SiteTests {
    /// Makes sites of a person's; returns their ids.
    private static func sites(_ count: Int, of account: Account.ID, _ fixture: SchemaFixture) async throws -> [String] {
        try await fixture.database.sql(
            """
            SET aqua.account = '\(account.rawValue)';
            SELECT make_site(\(account.rawValue), 'Weir ' || n, 48, n, NULL, NULL, '{}', '{}', '{}', '{}', '{}', '{}')
            FROM generate_series(1, \(count)) n
            """
        ).split(separator: "\n").map(String.init)
    }

    /// A device's slot is looked for by its id.
    @Test func aSiteIsInTheSlotOfItsID() async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            let ids = try await Self.sites(40, of: kim, fixture)
            #expect(Set(ids).count == 40)
            for id in ids {
                let slot = Slot(of: try #require(Device.HardwareID(id))).rawValue
                #expect(
                    try await fixture.database.sql("SELECT slot FROM device WHERE hardware_id = '\(id)'") == "\(slot)")
            }
            for id in ["pond-1", "A", String(repeating: "z", count: 32)] {
                let slot = Slot(of: try #require(Device.HardwareID(id))).rawValue
                #expect(try await fixture.database.sql("SELECT slot_of('\(id)')") == "\(slot)", "\(id)")
            }
        }
    }

    /// The broker has no account of a site, no key is needed for it, and nothing is expected of it.
    @Test func nothingTakesASiteForADevice() async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            let device = try await fixture.addDevice("pond-1")
            try await fixture.link(device, to: kim)
            let id = try #require(try await Self.sites(1, of: kim, fixture).first)
            let site = try #require(Device.HardwareID(id))
            let listed = try await fixture.owner.execute(ListDevices(after: "", limit: 10))
            #expect(listed.map(\.device.hardwareID) == ["pond-1"])
            #expect(try await fixture.owner.execute(ListOwnedDevices(of: kim)).map(\.hardwareID) == ["pond-1"])
            #expect(try await fixture.owner.execute(FindDeviceKeys([site])).isEmpty)
            let heard = try await fixture.owner.execute(FindDevices(["pond-1", id], kind: .device))
            #expect(heard.map(\.hardwareID) == ["pond-1"], "nothing sends as it")
            #expect(try await fixture.owner.execute(CountKeyUses()).map(\.devices) == [1])
            let found = try #require(try await fixture.owner.execute(FindDevice(site)).first)
            #expect(found.kind == .known(.site))
            let renewal = RenewClaimCode(
                device: found.key,
                claimCode: StoredClaimCode(hash: Array(repeating: 1, count: 32), keyID: SchemaFixture.keyID))
            #expect(try await fixture.owner.perform(renewal) == 0)
            #expect(
                try await fixture.database.sql(
                    "SELECT string_agg(d.hardware_id, ' ') FROM silence_check c JOIN device d ON d.device_id = c.device_id"
                )
                    == "pond-1")
            #expect(try await fixture.database.sql("SELECT count(*) FROM operated_device") == "1")
            #expect(try await fixture.database.sql("SELECT standing_of('\(id)', \(kim.rawValue))") == "taken")
        }
    }

    @Test(arguments: [
        "UPDATE device SET claim_code_hash = sha256('x') WHERE kind = 'site'",
        "UPDATE device SET key_hash = sha256('x') WHERE kind = 'site'",
        "UPDATE device SET kind = 'device' WHERE kind = 'site'",
    ])
    func aSiteNeverGetsAKey(_ change: String) async throws {
        try await SchemaFixture.with { fixture in
            _ = try await Self.sites(1, of: try await fixture.addAccount("kim"), fixture)
            await #expect(throws: (any Error).self) { try await fixture.database.sql(change) }
        }
    }

    /// Two standings of one device never overlap, whoever writes them.
    @Test func aDeviceStandsAtOneSiteAtATime() async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            try await fixture.link(try await fixture.addDevice("pond-1"), to: kim)
            _ = try await Self.sites(2, of: kim, fixture)
            func stand(_ site: String, _ since: String, _ until: String) async throws {
                try await fixture.database.sql(
                    """
                    INSERT INTO standing (slot, device_id, tank_id, site_slot, site_id, site_tank, since, until)
                    SELECT o.slot, o.device_id, o.tank_id, s.slot, s.device_id, s.tank_id, \(since), \(until)
                    FROM ownership o, ownership s WHERE o.name = 'Pond' AND s.name = '\(site)'
                    """)
            }
            try await stand("Weir 1", "'2026-05-01Z'", "'2026-05-03Z'")
            await #expect(throws: (any Error).self) { try await stand("Weir 2", "'2026-05-02Z'", "NULL") }
            await #expect(throws: (any Error).self) { try await stand("Weir 2", "'2026-04-01Z'", "'2026-05-02Z'") }
            try await stand("Weir 2", "'2026-05-03Z'", "NULL")
            await #expect(throws: (any Error).self) { try await stand("Weir 1", "'2026-06-01Z'", "'2026-06-02Z'") }
        }
    }

    /// The moments of a tank's positions are in order, whatever the clock does, and the oldest go.
    @Test func positionsAreInOrderAndBounded() async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            _ = try await Self.sites(1, of: kim, fixture)
            try await fixture.database.sql(
                """
                UPDATE place SET since = now() + interval '1 hour';
                UPDATE ownership SET latitude = 49
                """)
            #expect(
                try await fixture.database.sql("SELECT count(*), max(latitude), min(since) > now() FROM place")
                    == "1|49|t")
            try await fixture.database.sql(
                """
                UPDATE growth_bound SET in_all = 3 WHERE held = 'place';
                UPDATE place SET since = now() - interval '1 day';
                INSERT INTO place (slot, tank_id, since) SELECT slot, tank_id, since - n * interval '1 day' FROM place, generate_series(1, 2) n
                """)
            // As a service: an operator may do more.
            try await fixture.database.sql("UPDATE ownership SET latitude = 50", as: .gateway)
            #expect(try await fixture.database.sql("SELECT count(*) FROM place") == "3", "nobody was named")
            try await fixture.database.sql(
                """
                GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway
                """)
            try await fixture.database.sql(
                """
                BEGIN;
                DO $$ BEGIN PERFORM name_person(\(kim.rawValue)); END $$;
                UPDATE ownership SET latitude = 50;
                COMMIT
                """, as: .gateway)
            #expect(
                try await fixture.database.sql(
                    "SELECT count(*), max(latitude), min(since) > now() - interval '3 days' FROM place")
                    == "3|50|t", "the oldest has gone")
        }
    }

    /// What ends with an account.
    @Test func nothingOfSitesIsLeftOfAClosedAccount() async throws {
        try await SchemaFixture.with { fixture in
            let kim = try await fixture.addAccount("kim")
            try await fixture.link(try await fixture.addDevice("pond-1"), to: kim)
            let site = try #require(try await Self.sites(1, of: kim, fixture).first)
            #expect(
                try await fixture.database.sql(
                    "SET aqua.account = '\(kim.rawValue)'; SELECT stand_at('pond-1', '\(site)')") == "stands")
            #expect(try await fixture.owner.execute(CloseAccount(kim)) == [true])
            #expect(
                try await fixture.database.sql(
                    "SELECT (SELECT count(*) FROM place) + (SELECT count(*) FROM standing) + (SELECT count(*) FROM ownership)"
                )
                    == "0")
            #expect(
                try await fixture.database.sql(
                    "SELECT count(*) FROM device WHERE kind = 'site' AND claim_code_hash IS NULL")
                    == "1")
        }
    }
}
