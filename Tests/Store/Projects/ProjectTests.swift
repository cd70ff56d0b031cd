import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Members, limits that follow, devices that move in, and what ends with whom.
@Suite struct ProjectTests {
    @Test func aMembersLimitsFollowUntilTheyAreTheirOwn() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            try await scene.link(1)
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            #expect(try await scene.join(kim, as: "viewer") == "joined")
            try await scene.setMaximum(80, on: 0, of: scene.project)
            #expect(
                try await scene.maxima(on: 0) == [
                    "\(scene.project)": "80 2 f", "\(scene.ana)": "80 2 t", "\(lee)": "80 2 t", "\(kim)": "80 2 t",
                ])
            try await scene.setMaximum(82, on: 0, of: lee)
            // a matter of taste, which makes nobody's limits their own
            try await scene.setMaximum(80, on: 0, of: scene.ana, colour: "teal")
            try await scene.setMaximum(84, on: 0, of: scene.project)
            #expect(
                try await scene.maxima(on: 0) == [
                    "\(scene.project)": "84 3 f", "\(scene.ana)": "84 4 t", "\(lee)": "82 3 f", "\(kim)": "84 3 t",
                ])
            let colours =
                "SELECT colour FROM setting WHERE account_id = \(scene.ana) AND parameter = 1 AND valid_until IS NULL ORDER BY device_id"
            #expect(try await scene.sql(colours).hasPrefix("teal\n"), "kept")
            let key = scene.devices[0]
            let follow = "SELECT follow_project(\(key.slot.rawValue)::smallint, \(key.device.rawValue), 1::smallint)"
            #expect(try await scene.sql(follow, as: lee) == "t")
            #expect(try await scene.sql(follow, as: lee) == "t", "already")
            #expect(try await scene.sql(follow, as: scene.project) == "f", "whose limits they are")
            #expect(try await scene.sql(follow, as: scene.others[2]) == "f", "a stranger")
            #expect(try await scene.maxima(on: 0)["\(lee)"] == "84 4 t")
            try await scene.setMaximum(82, on: 0, of: lee)
            #expect(try await scene.change(lee, to: "viewer") == "done")
            #expect(try await scene.maxima(on: 0)["\(lee)"] == "84 6 t", "whoever may change none has the project's")
            // What nobody changed has no other version.
            #expect(Set(try await scene.maxima(on: 1).values.map { $0.suffix(3) }) == ["1 f", "1 t"])
        }
    }

    /// A project's change is one for the engines of each device, whoever follows.
    @Test func enginesLearnOfFollowedLimits() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            #expect(try await scene.join(scene.others[0], as: "keeper") == "joined")
            let version = "SELECT rules_version FROM device WHERE device_id = \(scene.devices[0].device.rawValue)"
            let before = try #require(Int(try await scene.sql(version)))
            try await scene.setMaximum(80, on: 0, of: scene.project)
            #expect(try #require(Int(try await scene.sql(version))) > before)
        }
    }

    @Test func ofWhatIsFollowedTheOldestVersionsGo() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            try await scene.sql(
                "UPDATE setting SET version = version + 140 WHERE account_id = \(scene.ana) AND parameter = 1")
            for maximum in [80, 81, 82] as [Int32] { try await scene.setMaximum(maximum, on: 0, of: scene.project) }
            let versions =
                "SELECT string_agg(version::text, ' ' ORDER BY version) FROM setting WHERE account_id = \(scene.ana) AND parameter = 1"
            #expect(try await scene.sql(versions) == "141 142 143 144", "more than a hundred and forty are not there")
            try await scene.sql(
                "UPDATE setting SET version = 1 WHERE account_id = \(scene.ana) AND parameter = 1 AND version = 141")
            try await scene.setMaximum(83, on: 0, of: scene.project)
            #expect(try await scene.sql(versions) == "142 143 144 145")
        }
    }

    @Test func aDeviceMovesInWithItsTank() async throws {
        try await ProjectScene.with { scene in
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            try await scene.link(0, to: scene.ana)
            try await scene.setMaximum(79, on: 0, of: scene.ana)
            try await scene.sql(
                """
                INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, 'note', now() FROM ownership;
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst)
                SELECT slot, device_id, 1, account_id, 1, 'range', 'high', now(), now(), 9 FROM ownership
                """)
            #expect(try await scene.move(0, by: lee) == "refused", "a keeper")
            #expect(try await scene.move(0, by: scene.others[1]) == "unknown", "a stranger")
            #expect(try await scene.move(1, by: scene.ana) == "notOwn")
            #expect(try await scene.move(0, by: scene.ana) == "done")
            #expect(try await scene.move(0, by: scene.ana) == "notOwn", "it is the project's")
            #expect(
                try await scene.sql(
                    "SELECT role, account_id = \(scene.project), tank_id = min(ownership_id) OVER () FROM ownership ORDER BY ownership_id"
                ) == "owner|t|t\nwatcher|f|t\nwatcher|f|t")
            #expect(try await scene.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "1", "it goes on")
            #expect(
                try await scene.maxima(on: 0) == [
                    "\(scene.project)": "79 1 f", "\(scene.ana)": "79 2 t", "\(lee)": "79 1 t",
                ])
            // The one who brought it goes; the project keeps it, without the name.
            #expect(try await scene.change(lee, to: "owner") == "done")
            #expect(try await scene.sql("SELECT close_account(\(scene.ana))") == "t")
            #expect(try await scene.sql("SELECT count(*) || ' ' || count(account_id) FROM journal_entry") == "1 0")
            #expect(try await scene.sql("SELECT count(*) FROM erasure") == "0", "others see the readings")
        }
    }

    @Test func theLastOwnerStays() async throws {
        try await ProjectScene.with { scene in
            let lee = scene.others[0]
            let joined = try await scene.join(lee, as: "administrator")
            #expect(joined == "joined")
            #expect(try await scene.remove(scene.ana) == "lastOwner")
            #expect(try await scene.change(scene.ana, to: "keeper") == "lastOwner")
            #expect(try await scene.change(lee, to: "owner", by: lee) == "refused", "an administrator makes no owner")
            #expect(try await scene.change(lee, to: "owner") == "done")
            #expect(try await scene.remove(scene.ana) == "done")
            #expect(try await scene.sql("SELECT account_id, role FROM project_member") == "\(lee)|owner")
        }
    }

    @Test(arguments: [
        (["viewer", "keeper", "administrator"], 2 as Int?), (["viewer", "keeper"], 1), (["viewer"], nil), ([], nil),
    ])
    func aClosedAccountsProjectGoesOn(roles: [String], heir: Int?) async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            for (person, role) in zip(scene.others, roles) {
                #expect(try await scene.join(person, as: role) == "joined")
            }
            #expect(try await scene.sql("SELECT close_account(\(scene.ana))") == "t")
            let left = try await scene.fixture.database.sql(
                "SELECT account_id FROM project_member WHERE role = 'owner'")
            #expect(left == heir.map { "\(scene.others[$0])" } ?? "")
            let owned = "SELECT count(*) FROM ownership WHERE role = 'owner' AND unlinked_at IS NULL"
            #expect(try await scene.fixture.database.sql(owned) == (heir == nil ? "0" : "1"))
            let projects = "SELECT count(*) FROM account WHERE kind = 'project'"
            #expect(try await scene.fixture.database.sql(projects) == (heir == nil ? "0" : "1"))
            let parts = "SELECT count(*) FROM ownership WHERE account_id = \(scene.ana)"
            #expect(try await scene.fixture.database.sql(parts) == "0")
        }
    }

    @Test func aDissolvedProjectLeavesNothing() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            let code = "SELECT claim_code_hash FROM device WHERE device_id = \(scene.devices[0].device.rawValue)"
            let before = try await scene.sql(code)
            #expect(try await scene.sql("SELECT dissolve_project(\(scene.project))", as: lee) == "refused")
            #expect(try await scene.sql("SELECT dissolve_project(\(scene.project))", as: scene.others[1]) == "unknown")
            #expect(
                try await scene.sql("SELECT dissolve_project(\(scene.project)), current_account()")
                    == "done|\(scene.ana)")
            #expect(try await scene.sql(code) != before)
            let left = """
                SELECT (SELECT count(*) FROM account WHERE kind = 'project') + (SELECT count(*) FROM project_member)
                    + (SELECT count(*) FROM project_invitation) + (SELECT count(*) FROM ownership WHERE unlinked_at IS NULL)
                    + (SELECT count(*) FROM setting WHERE account_id = \(scene.project))
                """
            #expect(try await scene.sql(left) == "0")
            let told = "SELECT count(*) FROM account_event WHERE kind = 'projectEnded' AND subject = 'Koi Farm'"
            #expect(try await scene.sql(told) == "2", "each member is told")
        }
    }

    @Test func aProjectSignsInNowhereAndIsToldNothing() async throws {
        try await ProjectScene.with { scene in
            for insert in [
                "INSERT INTO session (account_id, client, address) VALUES (\(scene.project), 'x', '192.0.2.1/32')",
                "INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret) VALUES (1, \(scene.project), 'webhook', 'https://example.org/', '')",
                "INSERT INTO account (kind, email, display_name) VALUES ('project', 'a@example.org', 'Farm')",
                "INSERT INTO account (kind) VALUES ('project')",
            ] {
                await #expect(throws: (any Error).self, "\(insert)") { try await scene.sql(insert) }
            }
            try await scene.link(0)
            #expect(try await scene.sql("SELECT unreached_people FROM take_census()") == "1", "Ana")
        }
    }

    @Test func boundsHold() async throws {
        try await ProjectScene.with { scene in
            let lee = scene.others[0]
            try await scene.sql("SELECT create_project('Farm ' || n) FROM generate_series(2, 20) n")
            #expect(try await scene.sql("SELECT create_project('one more')") == "")
            try await scene.sql("SELECT create_project('Farm ' || n) FROM generate_series(1, 20) n", as: lee)
            #expect(try await scene.join(lee, as: "keeper") == "tooMany")
            try await scene.sql(
                """
                INSERT INTO account (email, password_hash) SELECT 'many-' || n || '@example.org', 'scrypt$test' FROM generate_series(1, 49) n;
                INSERT INTO project_member (project_id, account_id, role)
                SELECT \(scene.project), account_id, 'viewer' FROM account WHERE email LIKE 'many-%'
                """)
            #expect(try await scene.join(scene.others[1], as: "keeper") == "full")
            // The two that could not be taken up are open.
            let invite =
                "SELECT outcome FROM invite_to_project(\(scene.project), sha256(convert_to(random()::text, 'UTF8')), 'keeper', NULL, interval '1 day')"
            let outcomes = try await scene.sql(Array(repeating: invite, count: 49).joined(separator: ";"))
            #expect(outcomes.split(separator: "\n").count { $0 == "made" } == 48 && outcomes.hasSuffix("full"))
        }
    }

    /// What somebody might not offer any more is worth nothing, and nobody is invited by one who left.
    @Test func anInvitationIsWorthWhatItsMakerMay() async throws {
        try await ProjectScene.with { scene in
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            func invite(_ role: String, _ token: String) async throws -> String {
                try await scene.sql(
                    "SELECT outcome FROM invite_to_project(\(scene.project), sha256('\(token)'), '\(role)', NULL, interval '1 day')",
                    as: lee)
            }
            #expect(try await invite("administrator", "a") == "refused")
            #expect(try await invite("keeper", "b") == "made")
            let join = "SELECT outcome FROM join_project(sha256('b'))"
            try await scene.sql("UPDATE project_member SET role = 'keeper' WHERE account_id = \(lee)")
            #expect(try await scene.sql(join, as: kim) == "unknown")
            try await scene.sql("UPDATE project_member SET role = 'administrator' WHERE account_id = \(lee)")
            #expect(try await scene.remove(lee) == "done")
            #expect(try await scene.sql(join, as: kim) == "unknown")
        }
    }

    /// Whoever acts for a project is known by the seal alone.
    @Test func nobodyActsForAProjectWithoutBeingOfIt() async throws {
        try await ProjectScene.with { scene in
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            #expect(try await scene.join(kim, as: "administrator") == "joined")
            func acting(_ person: Int64) async throws -> String {
                // in one transaction, each function of it after the other
                try await scene.sql(
                    "BEGIN; SELECT act_for_project(\(scene.project)); SELECT current_account(), current_actor(); COMMIT",
                    as: person)
            }
            #expect(try await acting(scene.ana) == "owner\n\(scene.project)|\(scene.ana)")
            #expect(try await acting(kim) == "administrator\n\(scene.project)|\(kim)")
            #expect(try await acting(lee) == "keeper\n\(lee)|\(lee)")
            #expect(try await acting(scene.others[2]) == "\n\(scene.others[2])|\(scene.others[2])")
            try await scene.sql(
                "UPDATE project_member SET joined_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' WHERE account_id = \(kim)"
            )
            #expect(try await acting(kim) == "\n\(kim)|\(kim)", "its time is over, whenever upkeep comes")
            let forged = """
                BEGIN; SET LOCAL aqua.actor = '\(scene.ana) \(lee) \(String(repeating: "0", count: 64))'; SELECT current_actor(); COMMIT
                """
            #expect(try await scene.sql(forged, as: lee) == "\(lee)")
        }
    }
}
