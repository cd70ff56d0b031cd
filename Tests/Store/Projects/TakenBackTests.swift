import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// What ends with somebody's right to have made it, and with the session in which it was made.
@Suite struct TakenBackTests {
    /// A new session of a person.
    private func session(_ scene: ProjectScene, of person: Int64) async throws -> String {
        try await scene.sql(
            "INSERT INTO session (account_id, client, address) VALUES (\(person), 'x', '192.0.2.1/32') RETURNING session_id",
            as: person)
    }

    /// Has a person act for the project in a session of theirs, make a token of the project's, and invite to its devices.
    private func makeKeys(_ scene: ProjectScene, _ person: Int64) async throws {
        try await scene.sql(
            """
            SET aqua.session = '\(try await session(scene, of: person))';
            BEGIN;
            SELECT act_for_project(\(scene.project)) AS part \\gset
            INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
            VALUES (\(scene.project), sha256('token \(person)'), 'Screen', 'write', 'abcd');
            INSERT INTO device_invitation (slot, device_id, account_id, place, token_hash, expires_at)
            SELECT slot, device_id, account_id, (SELECT count(*) + 1 FROM device_invitation), sha256('guest \(person)'), now() + interval '1 day' FROM ownership
            WHERE account_id = \(scene.project);
            COMMIT
            """,
            as: person)
    }

    private static let keys = """
        SELECT (SELECT string_agg(made_by::text, ' ' ORDER BY made_by) FROM personal_token WHERE revoked_at IS NULL), (SELECT count(*) FROM device_invitation),
            (SELECT count(*) FROM project_invitation WHERE used_at IS NULL)
        """

    @Test(arguments: ["removed", "left", "keeper", "viewer", "password reset", "administrator", "closed"])
    func keysEndWithTheRightToMakeThem(by what: String) async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            try await makeKeys(scene, scene.ana)
            try await makeKeys(scene, lee)
            try await scene.sql(
                "SELECT invite_to_project(\(scene.project), sha256('open'), 'viewer', NULL, interval '1 day')", as: lee)
            #expect(try await scene.sql(Self.keys) == "\(scene.ana) \(lee)|2|1")
            switch what {
            case "removed": #expect(try await scene.remove(lee) == "done")
            case "left": #expect(try await scene.remove(lee, by: lee) == "done")
            case "password reset":
                let reset = """
                    INSERT INTO account_mail (account_id, kind, locale, sent_at, token_hash, expires_at)
                    VALUES (\(lee), 'reset', 'en', now(), sha256('link'), now() + interval '1 minute');
                    SELECT reset_password(sha256('link'), 'scrypt$next')
                    """
                #expect(try await scene.fixture.database.sql(reset) == "t")
            case "closed": #expect(try await scene.sql("SELECT close_account(\(lee))", as: lee) == "t")
            default:
                #expect(try await scene.change(lee, to: "administrator") == "done", "no other role")
                #expect(try await scene.sql(Self.keys) == "\(scene.ana) \(lee)|2|1")
                if what != "administrator" { #expect(try await scene.change(lee, to: what) == "done") }
            }
            let left = what == "administrator" ? "\(scene.ana) \(lee)|2|1" : "\(scene.ana)|1|0"
            #expect(try await scene.sql(Self.keys) == left, "what others made stays")
            let named = "SELECT count(*) FROM personal_token WHERE made_by = \(lee)"
            #expect(try await scene.sql(named) == (what == "closed" ? "0" : "1"))
        }
    }

    @Test func whoeverTakesASessionBackRemovesWhomTheyMay() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            let session = try await session(scene, of: lee)
            let invite = """
                SET aqua.session = '\(session)';
                SELECT outcome FROM invite_to_project(\(scene.project), sha256('kim'), 'keeper', NULL, interval '1 day')
                """
            #expect(try await scene.sql(invite, as: lee) == "made")
            #expect(try await scene.sql("SELECT outcome FROM join_project(sha256('kim'))", as: kim) == "joined")
            let made = "SELECT kind, name FROM person_project_made WHERE made_in = '\(session)'"
            #expect(try await scene.sql(made, as: lee) == "member|person-1")
            #expect(try await scene.sql(made, as: kim) == "", "a keeper takes nobody back")
            for (mine, theirs, stays) in [
                ("viewer", "administrator", true), ("administrator", "administrator", true), ("viewer", "keeper", true),
                ("administrator", "owner", true), ("owner", "owner", true), ("administrator", "keeper", false),
            ] {
                try await scene.sql("UPDATE project_member SET role = '\(mine)' WHERE account_id = \(lee)")
                try await scene.sql("UPDATE project_member SET role = '\(theirs)' WHERE account_id = \(kim)")
                #expect(try await scene.sql("SELECT undo_session(\(lee), '\(session)')", as: lee) == "t")
                #expect(try await scene.member(kim).isEmpty == !stays, "\(mine) \(theirs)")
            }
        }
    }

    @Test func anOwnerAloneUnlinksAProjectsDevice() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            let key = scene.devices[0]
            let unlink = """
                BEGIN;
                SELECT act_for_project(\(scene.project)) AS part \\gset
                SELECT unlink_device(\(key.slot.rawValue)::smallint, \(key.device.rawValue), \(scene.project), sha256('x'),
                    '\(SchemaFixture.keyID)');
                COMMIT
                """
            let error = await #expect(throws: TestSupportError.self) { try await scene.sql(unlink, as: lee) }
            #expect(error?.description.contains("only an owner of a project") == true)
            #expect(try await scene.sql(unlink) == "t")
        }
    }

    /// Memberships whose time is over end by upkeep, as nobody's act, also while another project is held; whoever is invited meanwhile comes back.
    @Test func whatIsOverEndsAndBeginsAnew() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "keeper") == "joined")
            let over = """
                UPDATE project_member SET joined_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' WHERE account_id IN (\(lee), \(kim))
                """
            try await scene.sql(over)
            #expect(try await scene.join(lee, as: "viewer") == "joined")
            let parts =
                "SELECT count(*), bool_and(NOT may_act) FROM ownership WHERE account_id = \(lee) AND unlinked_at IS NULL"
            #expect(try await scene.sql(parts) == "1|t")
            let other = try #require(Int64(try await scene.sql("SELECT create_project('Other')")))
            try await scene.sql(
                """
                INSERT INTO project_member (project_id, account_id, role) VALUES (\(other), \(kim), 'keeper');
                \(over);
                UPDATE project_member SET ends_at = ends_at - interval '1 minute' WHERE account_id = \(lee)
                """)
            let holder = try await SchemaFixture.connect(scene.fixture.database, .owner)
            try await holder.executeScript("BEGIN; SELECT FROM account WHERE account_id = \(scene.project) FOR UPDATE")
            let ended = try await scene.fixture.database.sql("SELECT end_memberships(1)", as: .ingestor)
            #expect(ended == "1", "what comes after it ends")
            try await holder.executeScript("ROLLBACK")
            await holder.close()
            let members = "SELECT account_id FROM project_member WHERE role <> 'owner'"
            #expect(try await scene.sql(members) == "\(lee)")
            let told =
                "SELECT DISTINCT actor FROM audit_entry WHERE account_id IN (\(kim), \(other)) AND action ~ 'leave$'"
            #expect(try await scene.sql(told) == "system")
        }
    }

    @Test func theLogSaysWhosePartAndWhich() async throws {
        try await ProjectScene.with { scene in
            let lee = scene.others[0]
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            let member = try await scene.member(lee)
            #expect(try await scene.change(lee, to: "viewer") == "done")
            let end = "SELECT change_member(\(scene.project), \(member), NULL, true, '2100-01-01 00:00Z')"
            #expect(try await scene.sql(end) == "done")
            #expect(try await scene.remove(lee) == "done")
            func log(_ account: Int64) async throws -> String {
                try await scene.sql(
                    """
                    SELECT action, target = '\(account == lee ? "\(scene.project)" : member)', actor_id, changes -> 'role', left(changes -> 'until' ->> 1, 4)
                    FROM audit_entry WHERE account_id = \(account) AND action ~ '^(project|member)' ORDER BY entry_id
                    """)
            }
            func expected(_ nouns: (String, String)) -> String {
                """
                \(nouns.0).join|t|\(lee)|[null, "administrator"]|
                project.changePart|t|\(scene.ana)|["administrator", "viewer"]|
                project.changePart|t|\(scene.ana)||2100
                \(nouns.1).leave|t|\(scene.ana)||
                """
            }
            #expect(try await log(lee) == expected(("project", "project")))
            #expect(try await log(scene.project) == expected(("member", "member")))
            let invited = "SELECT changes -> 'role' ->> 1 FROM audit_entry WHERE action = 'invitation.make'"
            #expect(try await scene.sql(invited) == "administrator")
        }
    }

    @Test func aDissolvedProjectsLogNamesWhoDissolvedIt() async throws {
        try await ProjectScene.with { scene in
            try await scene.link(0)
            #expect(try await scene.sql("SELECT dissolve_project(\(scene.project))") == "done")
            let log = """
                SELECT action, actor, actor_id, actor_name ~ '^former-', subject FROM audit_entry
                WHERE account_id = \(scene.project) AND action IN ('device.unlink', 'account.close') ORDER BY entry_id
                """
            let (ana, name) = (scene.ana, "Koi Farm")
            #expect(
                try await scene.sql(log) == "device.unlink|account|\(ana)||Pond\naccount.close|account|\(ana)||\(name)")
            #expect(try await scene.sql("SELECT close_account(\(ana))") == "t")
            #expect(
                try await scene.fixture.database.sql(log)
                    == "device.unlink|account||t|Pond\naccount.close|account||t|\(name)")
        }
    }

    /// Limits of many devices are one act.
    @Test func limitsForManyAreNotedOnce() async throws {
        try await ProjectScene.with(others: 1, devices: 21) { scene in
            for device in scene.devices.indices { try await scene.link(device) }
            func set(_ maximum: Int, devices: Range<Int>) async throws {
                let ids = scene.devices[devices].map { "\($0.device.rawValue)" }.joined(separator: ", ")
                try await scene.sql(
                    """
                    WITH former AS (
                        UPDATE setting SET valid_until = greatest(now(), valid_from)
                        WHERE account_id = \(scene.project) AND parameter = 1 AND valid_until IS NULL AND device_id IN (\(ids)) RETURNING *
                    )
                    INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position, minimum, maximum, valid_from)
                    SELECT slot, device_id, account_id, parameter, version + 1, unit, colour, position, minimum, \(maximum), valid_until FROM former
                    """,
                    as: scene.project)
            }
            let noted = """
                SELECT count(*), count(device_id), min(subject), min(changes #>> '{maximum,1}'), min(changes #>> '{devices,1}') FROM audit_entry
                WHERE action = 'limit.change' AND changes #>> '{maximum,1}' =
                """
            try await set(81, devices: 0..<21)
            #expect(try await scene.sql("\(noted) '8.1'") == "1|0|Koi Farm|8.1|21")
            let counted = "SELECT count(*) FROM audit_entry WHERE actor_id = \(scene.project)"
            let count = try #require(Int(try await scene.sql(counted)))
            try await scene.fixture.database.sql(
                "UPDATE growth_bound SET a_day = 24 * \(count + 1) WHERE held = 'audit_entry'")
            try await set(82, devices: 0..<20)
            #expect(try await scene.sql("\(noted) '8.2'") == "20|20|Pond|8.2|")
            await #expect(throws: TestSupportError.self, "a person has had their hour") {
                try await set(83, devices: 0..<1)
            }
        }
    }
}
