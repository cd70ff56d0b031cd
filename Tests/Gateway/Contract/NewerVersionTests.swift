import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// During an upgrade a newer version stores what this one has no word for. Lists show it as it stands, and none fails because of it.
@Suite struct NewerVersionTests {
    @Test(
        arguments: [
            ("personal_token", "scope", "/tokens"),
            ("device_invitation", "readings", "/devices/pond-1/invitations"), ("ownership", "role", "/devices"),
            ("endpoint", "channel", "/endpoints"),
        ])
    func `a word that only a newer version knows is listed as it stands`(
        table: String, column: String, list: String
    ) async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            try await gateway.database.sql(
                """
                ALTER TABLE \(table) DROP CONSTRAINT \(table)_\(column)_check;
                UPDATE \(table) SET \(column) = 'aNewerWord' WHERE account_id = \(scene.anna.account)
                """)
            let reply = try await gateway.request(.GET, GatewayUnderTest.base + list, scene.anna)
            let items = try #require(reply.json?["items"]?.array ?? reply.json?.array, "\(reply.text)")
            #expect(!items.isEmpty && items.allSatisfy { $0[column]?.string == "aNewerWord" }, "\(reply.text)")
        }
    }

    @Test func `a colour scheme that only a newer version knows is told as it stands`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.database.sql(
                "ALTER TABLE account DROP CONSTRAINT account_colour_scheme_check; UPDATE account SET colour_scheme = 'sepia'"
            )
            let reply = try await gateway.request(.GET, GatewayUnderTest.base + "/settings", anna)
            #expect(reply.status == 200 && reply.json?["colourScheme"]?.string == "sepia", "\(reply.text)")
        }
    }

    /// What such a token may do is not known here, so it may do nothing.
    @Test func `a token with a scope that only a newer version knows is refused`() async throws {
        try await GatewayUnderTest.with { gateway in
            let token = try await gateway.personalToken(try await gateway.person(), scope: "write")
            try await gateway.database.sql(
                "ALTER TABLE personal_token DROP CONSTRAINT personal_token_scope_check; UPDATE personal_token SET scope = 'load'"
            )
            let reply = try await gateway.request(.GET, GatewayUnderTest.base + "/devices", token: token)
            #expect(reply.status == 403 && reply.code == "insufficient-scope", "\(reply.text)")
        }
    }

    /// By its number, so that it is taken for no other parameter, and no silence of it for that of the device. Values that have
    /// no unit here are left out.
    @Test func `a parameter that only a newer version knows is listed by its number`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person()
            try await gateway.device("pond-1", of: anna)
            try await gateway.database.sql(
                """
                ALTER TABLE episode DROP CONSTRAINT episode_parameter_check;
                ALTER TABLE setting DROP CONSTRAINT setting_parameter_check, DROP CONSTRAINT setting_position_check;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at)
                SELECT slot, device_id, 99, account_id, 1, 'fault', '2026-05-01T12:00:00Z', now() FROM ownership;
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, snoozed_until)
                SELECT slot, device_id, 99, account_id, 'silence', now() + interval '1 hour' FROM ownership;
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position)
                SELECT slot, device_id, account_id, 99, 1, 'ppm', 'red', 99 FROM ownership;
                CREATE OR REPLACE FUNCTION latest_readings(only_device text) RETURNS TABLE (
                    slot smallint, device_id integer, hardware_id text, parameter smallint, event_time timestamptz, value real,
                    unit text, "position" smallint, minimum integer, maximum integer, side text, opened_at timestamptz)
                LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
                    SELECT o.slot, o.device_id, 'pond-1', p::smallint, now(), 7::real, NULL, 0::smallint, NULL::integer, NULL::integer,
                        NULL, NULL::timestamptz
                    FROM ownership o, unnest('{1,99}'::integer[]) p
                $$
                """)
            func list(_ path: String) async throws -> JSON? {
                let reply = try await gateway.request(.GET, GatewayUnderTest.base + path, anna)
                #expect(reply.status == 200, "\(path): \(reply.text)")
                return reply.json
            }
            let device = try await list("/devices")?["items"]?[0]
            #expect(device?["brokenProbes"]?.array?.map { $0["parameter"]?.string } == ["99"])
            let snoozes = try await list("/snoozes")?.array
            #expect(snoozes?.map { $0["kind"]?.string } == ["silence"])
            #expect(snoozes?.map { $0["parameter"]?.string } == ["99"])
            #expect(try await list("/readings/latest")?.array?.map { $0["parameter"]?.string } == ["ph"])
            _ = try await list("/devices/pond-1/readings.csv")
        }
    }
}
