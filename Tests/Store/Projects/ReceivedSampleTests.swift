import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Store

/// What a project receives of others' samples: Ana's board receives of the others, who own tanks.
@Suite struct ReceivedSampleTests {
    private static func id(_ number: Int) -> String {
        "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    private static let content =
        #"{"protocol": "river-quick", "protocolVersion": 1, "begunAt": "2026-05-01T10:00:00Z", "surveyors": ["person-0", "Eva"], "values": []}"#

    private static let empty = "'{}', '{}', '{}', '{}', '{}', '{}', '{}'"

    private static func put(_ number: Int, since: Int?, state: String = "done", _ key: DeviceKey) -> String {
        """
        SELECT put_field_sample(\(key.slot.rawValue)::smallint, \(key.device.rawValue), '\(id(number))', \(since.map { "\($0)" } ?? "NULL"), '\(state)',
            now(), '\(content)', NULL, NULL, \(empty))
        """
    }

    /// Links a device to a person, who has the project receive its samples.
    private static func send(_ device: Int, by person: Int64, _ scene: ProjectScene) async throws -> String {
        try await scene.link(device, to: person)
        let key = scene.devices[device]
        return try await scene.fixture.database.sql(
            """
            SELECT sha256(convert_to('\(device) ' || random(), 'UTF8')) AS token \\gset
            SET aqua.account = '\(scene.ana)';
            SELECT outcome AS made FROM invite_to_project(\(scene.project), :'token', 'sender', NULL, interval '7 days') \\gset
            SET aqua.account = '\(person)';
            SELECT outcome FROM join_project(:'token');
            SELECT outcome FROM receive_from(\(key.slot.rawValue)::smallint, \(key.device.rawValue), :'token', NULL);
            SELECT outcome FROM receive_from(\(key.slot.rawValue)::smallint, \(key.device.rawValue), :'token', NULL)
            """)
    }

    private static let received = """
        SELECT string_agg(concat_ws(' ', right(sample_id::text, 1), version, state, content IS NOT NULL, is_newest), ', ' ORDER BY sequence)
        FROM person_received
        """

    @Test func `a link is taken up once, by an owner, and makes nobody a member`() async throws {
        try await ProjectScene.with(others: 2, devices: 2) { scene in
            #expect(
                try await Self.send(0, by: scene.others[0], scene).split(separator: "\n")
                    == ["unknown", "made", "already"])
            let members = "SELECT count(*) FROM project_member WHERE project_id = \(scene.project)"
            #expect(try await scene.sql(members) == "1")
            // Another tank of the same owner goes without a link; a stranger's does not.
            try await scene.link(1, to: scene.others[1])
            let key = scene.devices[1]
            let ask =
                "SELECT outcome FROM receive_from(\(key.slot.rawValue)::smallint, \(key.device.rawValue), NULL, \(scene.project))"
            #expect(try await scene.sql(ask, as: scene.others[1]) == "unknown")
            #expect(try await scene.sql(ask, as: scene.others[0]) == "device")
        }
    }

    @Test func `finished versions come once each, and what is withdrawn leaves one word`() async throws {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            let (person, key) = (scene.others[0], scene.devices[0])
            _ = try await Self.send(0, by: person, scene)
            try await scene.sql(Self.put(1, since: nil, state: "begun", key), as: person)
            #expect(try await scene.sql(Self.received, as: scene.project) == "", "nothing that is not finished")
            try await scene.sql(Self.put(1, since: 1, key), as: person)
            try await scene.sql(Self.put(1, since: 1, key), as: person)
            try await scene.sql(Self.put(1, since: 2, key), as: person)
            try await scene.sql(Self.put(2, since: nil, key), as: person)
            #expect(
                try await scene.sql(Self.received, as: scene.project) == "1 2 done t f, 1 3 done t t, 2 1 done t t")
            #expect(try await scene.sql(Self.received, as: scene.ana) == "", "members do not receive, the project does")
            #expect(try await scene.sql("SELECT receivers_of('\(Self.id(1))')", as: person) == #"{"Koi Farm"}"#)
            #expect(try await scene.sql("SELECT receivers_of('\(Self.id(1))')", as: scene.ana) == "{}")

            let end = "SELECT end_receiving(sending_id) FROM person_sending"
            #expect(try await scene.sql(end, as: person) == "done")
            try await scene.sql(Self.put(2, since: 1, key), as: person)
            try await scene.sql("SELECT withdraw_field_sample('\(Self.id(1))', 3)", as: person)
            #expect(
                try await scene.sql(Self.received, as: scene.project) == "2 1 done t t, 1 4 withdrawn f t",
                "nothing new is sent; that one is not to be used is told")
            #expect(
                try await scene.ask(
                    "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'receiver.%'")
                    == "receiver.add receiver.add receiver.remove receiver.remove")
            let told =
                "SELECT string_agg(DISTINCT subject, ' ') FROM audit_entry WHERE action LIKE 'receiver.%' AND account_id = "
            #expect(try await scene.ask(told + "\(person)") == "Koi Farm")
            #expect(try await scene.ask(told + "\(scene.project)") == "tank-0", "not what its owner calls it")
        }
    }

    @Test func `a sample that comes back leaves the word that it was withdrawn to whoever did not read it yet`()
        async throws
    {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            let (person, key) = (scene.others[0], scene.devices[0])
            _ = try await Self.send(0, by: person, scene)
            try await scene.sql(Self.put(1, since: nil, key), as: person)
            try await scene.sql("SELECT withdraw_field_sample('\(Self.id(1))', 1)", as: person)
            try await scene.sql(Self.put(1, since: 2, key), as: person)
            #expect(
                try await scene.sql(Self.received, as: scene.project) == "1 2 withdrawn f f, 1 3 done t t",
                "a receiver that holds version 1 learns that it is not to be used")
        }
    }

    @Test func `a name that is forgotten comes again without it, and an erased tank leaves only numbers`() async throws
    {
        try await ProjectScene.with(others: 2, devices: 1) { scene in
            let (owner, watcher) = (scene.others[1], scene.others[0])
            _ = try await Self.send(0, by: owner, scene)
            let key = scene.devices[0]
            try await scene.fixture.database.sql(
                """
                UPDATE account SET display_name = 'person-0' WHERE account_id = \(watcher);
                INSERT INTO ownership (slot, device_id, account_id, role, name)
                VALUES (\(key.slot.rawValue), \(key.device.rawValue), \(watcher), 'watcher', 'Weir')
                """)
            try await scene.sql(Self.put(1, since: nil, key), as: watcher)
            let first = try await scene.sql("SELECT sequence FROM person_received", as: scene.project)
            _ = try await scene.fixture.database.sql("SELECT close_account(\(watcher))")
            let again = "SELECT content -> 'surveyors' FROM person_received WHERE sequence > \(first)"
            #expect(try await scene.sql(again, as: scene.project) == #"["Eva"]"#)
            _ = try await scene.fixture.database.sql("SELECT close_account(\(owner))")
            #expect(
                try await scene.sql(
                    "SELECT concat_ws(' ', version, state, content, sender, name, latitude) FROM person_received",
                    as: scene.project) == "1 withdrawn")
        }
    }

    @Test func `a tank that goes into a project is sent no more, and what is forgotten of its sender is told again`()
        async throws
    {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            let (person, key) = (scene.others[0], scene.devices[0])
            _ = try await Self.send(0, by: person, scene)
            try await scene.sql(Self.put(1, since: nil, key), as: person)
            var last = 0
            for note in ["New meter.", "Old meter."] {
                try await scene.sql(
                    "SELECT review_field_sample('\(Self.id(1))', 1, 'hasIssues', '\(note)')", as: person)
                let told = try await scene.sql(
                    "SELECT sequence FROM person_received WHERE review_note = '\(note)' AND sequence > \(last)",
                    as: scene.project)
                last = try #require(Int(told), "the words of a review are told as the verdict is")
            }
            _ = try await scene.join(person, as: "administrator")
            #expect(try await scene.move(0, by: person) == "done")
            #expect(try await scene.ask("SELECT count(*) FROM sample_sending") == "0", "nobody would see it, or end it")
            try await scene.sql(Self.put(1, since: 1, key), as: scene.project)
            #expect(
                try await scene.sql(Self.received, as: scene.project) == "1 1 done t t",
                "the next owner agreed to nothing")
            _ = try await scene.ask("SELECT close_account(\(person))")
            #expect(
                try await scene.sql(
                    "SELECT concat_ws(' ', version, state, sender, name) FROM person_received WHERE sequence > \(last)",
                    as: scene.project) == "1 done")
        }
    }

    @Test func `whoever sends to a project is told which one it was that is gone`() async throws {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            _ = try await Self.send(0, by: scene.others[0], scene)
            #expect(try await scene.sql("SELECT dissolve_project(\(scene.project))") == "done")
            let told =
                "SELECT subject FROM audit_entry WHERE action = 'receiver.remove' AND account_id = \(scene.others[0])"
            #expect(try await scene.ask(told) == "Koi Farm")
        }
    }

    @Test func `numbers stand from the first sending on, and a project that is gone has none`() async throws {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            _ = try await Self.send(0, by: scene.others[0], scene)
            let times = """
                SELECT (extract(epoch FROM now()) * 1000)::bigint AS before \\gset
                SELECT next_received(\(scene.project)) AS one \\gset
                SELECT :one >= :before, next_received(\(scene.project)) > :one
                """
            #expect(
                try await scene.ask(times) == "t|t", "after a restore, too, numbers are greater than those before it")
            _ = try await scene.ask("UPDATE sample_reception SET last = 1000000000000000")
            #expect(
                try await scene.ask("SELECT next_received(\(scene.project))") == "1000000000000001",
                "a clock that was ahead")
            #expect(try await scene.ask("SELECT next_received(\(scene.project) + 1000) IS NULL") == "t")
        }
    }

    /// Whoever reads from the last number on, again and again while others send at once, has each present version at the end, and no other.
    @Test func `received twice is once, and nothing is skipped that is committed later`() async throws {
        try await ProjectScene.with(others: 3, devices: 3) { scene in
            for place in 0..<3 { _ = try await Self.send(place, by: scene.others[place], scene) }
            let receiver = Receiver(scene)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for _ in 0..<20 { _ = try await receiver.pull() } }
                for place in 0..<3 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(place))
                        var versions: [Int: Int] = [:]
                        for _ in 0..<12 {
                            let number = place * 100 + Int.random(in: 1...3, using: &random)
                            let since = versions[number]
                            if since != nil, Bool.random(using: &random) {
                                try await scene.sql(
                                    "SELECT withdraw_field_sample('\(Self.id(number))', \(since ?? 0))",
                                    as: scene.others[place])
                            } else {
                                try await scene.sql(
                                    Self.put(number, since: since, scene.devices[place]), as: scene.others[place])
                            }
                            versions[number] = Int(
                                try await scene.ask(
                                    "SELECT version FROM field_sample WHERE sample_id = '\(Self.id(number))'"))
                        }
                    }
                }
                try await group.waitForAll()
            }
            while try await receiver.pull() {}
            let there = try await scene.sql(
                "SELECT sample_id || ' ' || version || ' ' || state FROM person_received", as: scene.project)
            #expect(await receiver.held == Set(there.split(separator: "\n").map(String.init)))
        }
    }
}

/// An organisation that keeps what it receives, and the last number.
private actor Receiver {
    private let scene: ProjectScene
    private var last = "0"
    /// Sample, version and state.
    private(set) var held: Set<String> = []

    init(_ scene: ProjectScene) { self.scene = scene }

    /// - Returns: Whether anything came.
    func pull() async throws -> Bool {
        let rows = try await scene.sql(
            """
            SELECT sequence || ' ' || sample_id || ' ' || version || ' ' || state FROM person_received WHERE sequence > \(last)
            ORDER BY sequence LIMIT 3
            """, as: scene.project)
        for row in rows.split(separator: "\n") {
            let parts = row.split(separator: " ").map(String.init)
            last = parts[0]
            held = held.filter { one in
                // Nothing that came before it is to be used.
                !one.hasPrefix(parts[1]) || parts[3] == "done"
            }
            held.insert(parts.dropFirst().joined(separator: " "))
        }
        return !rows.isEmpty
    }
}

extension ProjectScene {
    fileprivate func ask(_ sql: String) async throws -> String { try await fixture.database.sql(sql) }
}
