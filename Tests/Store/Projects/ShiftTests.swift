import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Store

/// Shifts of a project: their turns across changes of clocks, who sets and swaps them, and what ends with whom.
@Suite struct ShiftTests {
    /// - Parameter members: For each shift its name, its first minute, the one after its last, and who stands in it.
    private static func set(
        _ scene: ProjectScene, _ shifts: [(String, Int, Int, [Int64])], by person: Int64? = nil, version: Int = 0
    ) async throws -> String {
        var wanted: [String] = []
        for (name, begins, ends, people) in shifts {
            var members: [String] = []
            for person in people { members.append("'\(try await scene.member(person))'") }
            wanted.append(
                """
                jsonb_build_object('id', (SELECT shift_id FROM shift WHERE name = '\(name)'), 'name', '\(name)', 'days', 127, 'begins', \(begins),
                    'ends', \(ends), 'members', jsonb_build_array(\(members.joined(separator: ", "))))
                """)
        }
        return try await scene.sql(
            "SELECT set_shifts(\(scene.project), \(version), 'Europe/Vienna', jsonb_build_array(\(wanted.joined(separator: ", "))))",
            as: person)
    }

    private static func cover(
        _ scene: ProjectScene, _ name: String, of person: Int64, by other: Int64, as asking: Int64, in days: Int = 1
    ) async throws -> String {
        try await scene.sql(
            """
            SELECT cover_shift(\(scene.project), (SELECT shift_id FROM shift WHERE name = '\(name)'),
                (now() AT TIME ZONE 'Europe/Vienna')::date + \(days), \(try await scene.member(person)), \(try await scene.member(other)))
            """,
            as: asking)
    }

    /// Each end is a civil time, and shifts that follow each other still do.
    @Test func turnsAcrossChangesOfClocks() async throws {
        try await ProjectScene.with(others: 0, devices: 0) { scene in
            let set = try await Self.set(
                scene, [("Day", 360, 1_320, [scene.ana]), ("Night", 1_320, 360, [scene.ana])])
            #expect(set == "done")
            let turns = { (day: String) async throws -> String in
                try await scene.fixture.database.sql(
                    """
                    SELECT string_agg(to_char(since AT TIME ZONE 'UTC', 'DD HH24:MI') || ' ' || extract(epoch FROM until - since)::integer / 3600, ', ' ORDER BY since)
                    FROM turns_of(\(scene.project), '\(day)Z', '\(day)Z'::timestamptz + interval '24 hours') WHERE since >= '\(day)Z'
                    """)
            }
            #expect(try await turns("2027-03-27") == "27 05:00 16, 27 21:00 7")
            #expect(try await turns("2027-03-28") == "28 04:00 16, 28 20:00 8")
            #expect(try await turns("2027-10-30") == "30 04:00 16, 30 20:00 9")
            #expect(try await turns("2027-10-31") == "31 05:00 16, 31 21:00 8")
            let gaps = "SELECT cardinality(gaps_since) FROM show_rota(\(scene.project))"
            #expect(try await scene.sql(gaps) == "0", "there is always somebody")
        }
    }

    @Test func ownersAndAdministratorsSetShifts() async throws {
        try await ProjectScene.with(devices: 0) { scene in
            let (lee, kim) = (scene.others[0], scene.others[1])
            #expect(try await scene.join(lee, as: "administrator") == "joined")
            #expect(try await scene.join(kim, as: "keeper") == "joined")
            #expect(try await Self.set(scene, [("Day", 360, 1_320, [kim])], by: kim) == "refused")
            #expect(try await Self.set(scene, [("Day", 360, 1_320, [kim])], by: scene.others[2]) == "unknown")
            #expect(try await Self.set(scene, [("Day", 360, 1_320, [kim])], by: lee) == "done")
            #expect(try await Self.set(scene, [("Day", 0, 1_320, [kim])]) == "changed")
            let id = try await scene.sql("SELECT shift_id FROM shift")
            #expect(
                try await Self.set(scene, [("Night", 1_320, 360, [lee]), ("Day", 0, 1_320, [kim, lee])], version: 1)
                    == "done")
            #expect(
                try await scene.sql("SELECT shift_id, place FROM shift WHERE name = 'Day'") == "\(id)|2",
                "what stays keeps its number and changes places")
            #expect(try await scene.sql("SELECT count(*) FROM list_shifts(\(scene.project))", as: kim) == "2")
            #expect(
                try await scene.sql("SELECT count(*) FROM list_shifts(\(scene.project))", as: scene.others[2]) == "0")
            #expect(
                try await scene.sql(
                    "SELECT set_shifts(\(scene.project), 2, 'UTC', '[{\"name\": \"x\", \"members\": [\"999999\"]}]')")
                    == "stranger")
            #expect(
                try await scene.sql("SELECT string_agg(action, ' ') FROM audit_entry WHERE action LIKE 'shifts.%'")
                    == "shifts.change shifts.change")
            #expect(try await Self.set(scene, [], version: 2) == "done")
            #expect(try await scene.sql("SELECT count(*) FROM shift_turn") == "0")
        }
    }

    @Test func aTurnIsTakenByEitherOfTheTwo() async throws {
        try await ProjectScene.with(devices: 0) { scene in
            let (lee, kim, max) = (scene.others[0], scene.others[1], scene.others[2])
            for person in [lee, kim, max] { #expect(try await scene.join(person, as: "keeper") == "joined") }
            let set = try await Self.set(scene, [("Day", 360, 1_320, [lee])])
            #expect(set == "done")
            #expect(try await Self.cover(scene, "Day", of: lee, by: kim, as: max) == "refused")
            #expect(try await Self.cover(scene, "Day", of: kim, by: lee, as: kim) == "noShift")
            #expect(try await Self.cover(scene, "Day", of: lee, by: kim, as: lee, in: 61) == "tooFar")
            #expect(try await Self.cover(scene, "Day", of: lee, by: kim, as: lee, in: -2) == "past")
            #expect(try await Self.cover(scene, "Day", of: lee, by: kim, as: kim) == "done")
            let tomorrow = """
                SELECT string_agg(account_id::text, ',') FROM turns_of(\(scene.project), now(), now() + interval '3 days')
                WHERE day = (now() AT TIME ZONE 'Europe/Vienna')::date + 1
                """
            #expect(try await scene.sql(tomorrow) == "\(kim)")
            #expect(try await scene.sql("SELECT count(*) FROM shift_turn") == "2")
            #expect(
                try await Self.cover(scene, "Day", of: lee, by: max, as: kim) == "refused",
                "whoever took it gives it back alone")
            #expect(try await Self.cover(scene, "Day", of: lee, by: lee, as: kim) == "done")
            #expect(try await scene.sql(tomorrow) == "\(lee)")
            #expect(try await Self.cover(scene, "Day", of: lee, by: max, as: scene.ana) == "done", "for the project")
            #expect(
                try await scene.sql(
                    "SELECT count(*) FROM audit_entry WHERE action = 'shifts.cover' AND account_id = \(lee)") == "3")
            // Whoever took it leaves, and whose it was has it again.
            #expect(try await scene.remove(max) == "done")
            #expect(try await scene.sql(tomorrow) == "\(lee)")
        }
    }

    @Test func whoLeavesIsOutOfEveryShift() async throws {
        try await ProjectScene.with(devices: 0) { scene in
            let (lee, kim) = (scene.others[0], scene.others[1])
            for person in [lee, kim] { #expect(try await scene.join(person, as: "keeper") == "joined") }
            #expect(try await Self.set(scene, [("Day", 0, 0, [lee, kim]), ("Late", 720, 0, [lee])]) == "done")
            #expect(try await Self.cover(scene, "Day", of: kim, by: lee, as: kim) == "done")
            let left = """
                SELECT (SELECT count(*) FROM shift_member WHERE account_id = \(lee)) || ' ' || (SELECT count(*) FROM shift_cover)
                    || ' ' || (SELECT count(*) FROM shift_turn WHERE account_id = \(lee))
                """
            #expect(try await scene.sql(left) == "2 1 1")
            // A part whose time is over counts no more, whenever upkeep comes.
            _ = try await scene.sql(
                "UPDATE project_member SET joined_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' WHERE account_id = \(kim)"
            )
            #expect(
                try await scene.sql("SELECT string_agg(w::text, ',') FROM on_shift(\(scene.project)) w") == "\(lee)")
            #expect(try await scene.remove(lee) == "done")
            #expect(try await scene.sql(left) == "0 0 0")
            _ = try await scene.sql("SELECT close_account(\(kim))", as: kim)
            #expect(try await scene.sql("SELECT count(*) FROM shift_member") == "0")
        }
    }
}
