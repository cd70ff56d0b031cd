import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Roles against every route that changes anything: each is asked with what is there, by each who may not.
@Suite(.timeLimit(.minutes(10))) struct ProjectRoleTests {
    /// Tables of what the members of a project share, and of what is the project's.
    private static let shared = [
        "journal_entry", "journal_photo", "inventory_item", "hand_test", "hand_value", "water_work", "reminder",
        "reminder_act",
        "reminder_person", "calibration", "tank_answers", "setting", "temperature_probe", "device_invitation",
        "project_member",
        "project_invitation", "own_preset", "public_page", "site_plan", "plan_picture", "plan_place", "zone",
        "companion",
        "place", "standing", "station", "rota", "shift",
        "shift_member", "shift_cover", "field_protocol", "field_sample", "field_sample_version",
        "sample_sending", "received_sample",
    ]

    private func fingerprint(_ gateway: GatewayUnderTest) async throws -> String {
        let parts = Self.shared.map {
            "(SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM \($0) t)"
        }
        return try await gateway.ask(
            """
            SELECT concat_ws(' ', \(parts.joined(separator: ", ")),
                (SELECT string_agg(concat_ws('/', ownership_id, account_id, role, project_id, may_act, unlinked_at), ',' ORDER BY ownership_id) FROM ownership),
                (SELECT string_agg(encode(claim_code_hash, 'hex'), ',' ORDER BY device_id) FROM device),
                (SELECT string_agg(concat_ws('/', account_id, email, display_name), ',' ORDER BY account_id) FROM account),
                (SELECT string_agg(concat_ws('/', snooze_id, answered_by), ',' ORDER BY snooze_id) FROM snooze WHERE answered_by IS NOT NULL))
            """)
    }

    /// Anna's device with everything that belongs to it, moved into her project, in which Ben takes part as a viewer.
    private func scene(_ gateway: GatewayUnderTest, role: String) async throws -> ForeignScene {
        let scene = try await ForeignScene(gateway)
        try await gateway.database.sql(
            """
            SET aqua.account = '\(scene.anna.account)';
            SELECT move_device(o.slot, o.device_id, m.project_id) FROM ownership o JOIN project_member m ON m.account_id = o.account_id
            WHERE o.account_id = \(scene.anna.account) AND o.role = 'owner' AND m.role = 'owner';
            SELECT outcome FROM project_member m, invite_to_project(m.project_id, sha256('ben'), '\(role)', NULL, interval '1 day')
            WHERE m.account_id = \(scene.anna.account);
            SET aqua.account = '\(scene.ben.account)';
            SELECT join_project(sha256('ben'))
            """)
        #expect(
            try await gateway.ask("SELECT count(*) FROM project_member WHERE account_id = \(scene.ben.account)") == "1")
        return scene
    }

    /// Routes of the person's own account, and the one by which anybody's limits become the project's again.
    private static let account: Set = [
        "closeAccount", "changePassword", "createProject", "followProject", "tellAlways",
    ]

    @Test func aViewerChangesNothingThatIsShared() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await scene(gateway, role: "viewer")
            let before = try await fingerprint(gateway)
            var refused: Set<String> = []
            for route in GatewayAPI.make().routes where route.method != .get && !Self.account.contains(route.id) {
                guard let own = try scene.owners(of: route) else { continue }
                // Leaving is anybody's; the member of the scene is another.
                let reply = try await gateway.ask(route, own, scene.ben)
                #expect(try await fingerprint(gateway) == before, "\(route.id): \(reply.status) \(reply.text)")
                #expect(reply.status < 500, "\(route.id): \(reply.text)")
                if reply.code == "viewers-only-look" { refused.insert(route.id) }
            }
            #expect(refused.count >= 15, "\(refused)")
            #expect(
                refused.isSuperset(of: ["withdrawFieldSample", "reviewFieldSample", "removeFieldPhoto"]),
                "\(refused)")
            // What is no device's is refused for its own reason.
            let unknown = try await gateway.request(
                .DELETE, "/api/v1/zones/00000000-0000-4000-8000-000000000000", scene.ben, headers: ["If-Match": "*"])
            #expect(unknown.status == 404 && unknown.code == "not-found", "\(unknown.text)")
        }
    }

    /// A keeper cares for the water, and changes nothing of what is the project's.
    @Test func aKeeperChangesNothingOfTheProject() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await scene(gateway, role: "keeper")
            let state = """
                SELECT concat_ws(' ', (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM project_member t),
                    (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM project_invitation t),
                    (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM shift t),
                    (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM shift_member t),
                    (SELECT string_agg(t::text, ',' ORDER BY t::text) FROM setting t JOIN account a USING (account_id) WHERE a.kind = 'project'),
                    (SELECT string_agg(concat_ws('/', ownership_id, account_id, project_id, unlinked_at), ',' ORDER BY ownership_id) FROM ownership),
                    (SELECT string_agg(encode(claim_code_hash, 'hex'), ',' ORDER BY device_id) FROM device),
                    (SELECT string_agg(display_name, ',' ORDER BY account_id) FROM account WHERE kind = 'project'))
                """
            let before = try await gateway.ask(state)
            for route in GatewayAPI.make().routes where route.method != .get && !Self.account.contains(route.id) {
                guard let own = try scene.owners(of: route) else { continue }
                let reply = try await gateway.ask(route, own, scene.ben)
                #expect(try await gateway.ask(state) == before, "\(route.id): \(reply.status) \(reply.text)")
            }
        }
    }

    @Test func aFormerMemberFindsNothing() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await scene(gateway, role: "administrator")
            try await gateway.database.sql(
                """
                SET aqua.account = '\(scene.ben.account)';
                SELECT end_membership(project_id, member_id) FROM project_member WHERE account_id = \(scene.ben.account)
                """)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '1 minute', now(), 21.5 FROM device WHERE hardware_id = 'pond-1'
                """)
            let before = try await fingerprint(gateway)
            for route in GatewayAPI.make().routes where !Self.account.contains(route.id) {
                guard let own = try scene.owners(of: route), route.path.parameters.contains("device") else { continue }
                let reply = try await gateway.ask(route, own, scene.ben)
                // Of what one had once, the series is empty.
                let isEmpty = route.method == .get && reply.status == 200 && !reply.text.contains("21.5")
                #expect(
                    isEmpty || reply.status >= 400 && reply.status < 500, "\(route.id): \(reply.status) \(reply.text)")
            }
            #expect(try await fingerprint(gateway) == before)
        }
    }
}
