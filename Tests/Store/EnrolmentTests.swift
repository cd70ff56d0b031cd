import Postgres
import TestSupport
import Testing
import WaterQuality

/// Promises of enrolment that the database itself keeps, whatever services ask.
@Suite struct EnrolmentTests {
    private static let key = "decode(repeat('04', 65), 'hex'), decode(repeat('01', 16), 'hex')"

    private static func session(_ people: TwoPeople, _ person: TwoPeople.Person) -> String {
        "SELECT set_config('aqua.session', '\(person.session)', true) \\gset\n"
    }

    /// The outcome of asking as a person, in a session.
    private static func ask(
        _ people: TwoPeople, _ person: TwoPeople.Person, _ ids: [String], in session: TwoPeople.Person? = nil,
        kind: String = "make"
    ) async throws -> String {
        let list = ids.joined(separator: ",")
        let asked = """
            SELECT outcome FROM ask_enrolment('\(kind)', \(key), true, '{\(list)}', '{\(list)}', array_fill(NULL::text, ARRAY[\(ids.count)]),
                array_fill(NULL::text, ARRAY[\(ids.count)]))
            """
        return try await people.asGateway(of: person, Self.session(people, session ?? person) + asked)
    }

    private static func with(aDay: Int = 1_000, _ body: @Sendable (TwoPeople) async throws -> Void) async throws {
        try await TwoPeople.with { people in
            try await people.fixture.database.sql("DELETE FROM enrolment")
            try await people.fixture.database.sql(
                "SELECT beat_enroller('people', \(aDay), 'mqtt.example.org', 8883, true, NULL, NULL)", as: .enroller)
            try await body(people)
        }
    }

    private static func enrol(_ people: TwoPeople, limit: Int = 1_000) async throws -> String {
        try await people.fixture.database.sql(
            """
            SELECT string_agg(enrol_device(batch, line, 5::smallint, sha256(hardware_id::bytea), repeat('0', 16), repeat('0', 16),
                sha256(hardware_id::bytea), '\\x01', '{1}', '{pH}', '{60}', '{80}', '{red}', '{1}'), ' ') FROM take_enrolments(\(limit))
            """, as: .enroller)
    }

    /// Of a preset of one's own the device has the limits from its first version on; another's is nobody else's.
    @Test func aDeviceBeginsWithAPresetOfOnesOwn() async throws {
        try await Self.with { people in
            let (anna, database) = (people.anna, people.fixture.database)
            try await database.sql(
                """
                INSERT INTO own_preset (account_id, name, limits) SELECT a, 'Soft', '{"1": {"unit": "pH", "minimum": 65, "maximum": null}}'
                FROM unnest(ARRAY[\(anna.account.rawValue), \(people.ben.account.rawValue)]) AS a
                """)
            let own = "SELECT preset_id FROM own_preset WHERE name = 'Soft' AND account_id"
            let annas = try await database.sql("\(own) = \(anna.account.rawValue)")
            let bens = try await database.sql("\(own) = \(people.ben.account.rawValue)")
            let asked = """
                SELECT outcome FROM ask_enrolment('make', \(Self.key), true, '{x-1,x-2,x-3}', '{x-1,x-2,x-3}', '{NULL,NULL,NULL}',
                    '{\(annas),\(bens),reef}')
                """
            #expect(try await people.asGateway(of: anna, Self.session(people, anna) + asked) == "asked")
            #expect(try await Self.enrol(people) == "made made made")
            #expect(
                try await database.sql(
                    """
                    SELECT string_agg(concat_ws(' ', hardware_id, version, minimum, maximum), ', ' ORDER BY hardware_id)
                    FROM setting JOIN device USING (slot, device_id) WHERE hardware_id LIKE 'x-%'
                    """) == "x-1 1 65, x-2 1 60 80, x-3 1 60 80")
        }
    }

    /// A Gateway that is taken over names sessions as it likes: of whoever it may act for, and live ones.
    @Test func nobodyAsksWithoutASessionOfTheirs() async throws {
        try await Self.with { people in
            for session in [people.ben, nil] {
                let named = session.map { Self.session(people, $0) } ?? ""
                let refused = await #expect(throws: TestSupportError.self) {
                    try await people.asGateway(
                        of: people.anna,
                        named
                            + "SELECT outcome FROM ask_enrolment('make', \(Self.key), true, '{x}', '{x}', '{NULL}', '{NULL}')"
                    )
                }
                #expect(refused?.description.contains("devices are asked for in a session") == true)
            }
            let asked = try await Self.ask(people, people.anna, ["new-1"])
            #expect(asked == "asked")
        }
    }

    @Test func aPersonHasOneOpenBatchAndADaysBound() async throws {
        try await Self.with(aDay: 3) { people in
            #expect(try await Self.ask(people, people.anna, ["new-1", "new-2"]) == "asked")
            #expect(try await Self.ask(people, people.anna, ["new-3"]) == "open")
            #expect(try await Self.ask(people, people.ben, ["new-3"]) == "asked", "others do not wait")
            #expect(try await Self.enrol(people) == "made made made")
            #expect(try await Self.ask(people, people.anna, ["new-4", "new-5"]) == "tooManyToday")
            #expect(
                try await Self.ask(people, people.anna, ["tank-anna"], kind: "rotate") == "asked",
                "keys have their own count")
            try await people.fixture.database.sql("DELETE FROM enrolment; UPDATE enrolment_day SET day = day - 1")
            #expect(try await Self.ask(people, people.anna, ["new-4", "new-5"]) == "asked")
        }
    }

    /// Twenty projects do not make twenty days' bounds.
    @Test func thePersonWhoAsksHasTheBoundTooWhateverTheProject() async throws {
        try await Self.with(aDay: 2) { people in
            let project = try await people.fixture.database.sql(
                "SELECT project_id FROM project_member WHERE account_id = \(people.anna.account.rawValue)")
            let asked = """
                SELECT act_for_project(\(project)) \\gset
                SELECT outcome FROM ask_enrolment('make', \(Self.key), true, '{p-1,p-2}', '{a,b}', '{NULL,NULL}', '{NULL,NULL}')
                """
            #expect(try await people.asGateway(of: people.anna, Self.session(people, people.anna) + asked) == "asked")
            #expect(try await Self.ask(people, people.anna, ["new-1"]) == "tooManyToday")
        }
    }

    /// One person's thousand devices do not keep another's one waiting.
    @Test func batchesTakeTurns() async throws {
        try await Self.with { people in
            let asked = try await Self.ask(people, people.anna, (1...500).map { "many-\($0)" })
            #expect(asked == "asked")
            #expect(try await Self.ask(people, people.ben, ["one"]) == "asked")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT string_agg(hardware_id, ' ') FROM take_enrolments(3)", as: .enroller) == "many-1 one many-2"
            )
        }
    }

    /// Two ask for the same id: one has it, and the other learns that it is taken.
    @Test func anIDIsMadeOnce() async throws {
        try await Self.with { people in
            let asked = try await Self.ask(people, people.anna, ["new-1", "tank-ben"])
            #expect(asked == "asked")
            #expect(try await Self.ask(people, people.ben, ["new-1"]) == "asked")
            #expect(try await Self.enrol(people) == "made taken taken")
            let states =
                "SELECT string_agg(concat_ws('/', state, reason), ' ' ORDER BY made_by, line) FROM enrolment_device JOIN enrolment USING (batch_id)"
            #expect(try await people.fixture.database.sql(states) == "made refused/taken refused/taken")
            #expect(try await Self.enrol(people) == "", "nothing waits")
        }
    }

    /// A change of a project locks the slots of its devices and then its account, also while a device is made in one of them.
    @Test func aDeviceIsMadeBesideAChangeOfItsOwner() async throws {
        try await Self.with { people in
            let asked = try await Self.ask(people, people.anna, ["new-1"])
            #expect(asked == "asked")
            let database = people.fixture.database
            let holder = try await SchemaFixture.connect(database, .owner)
            try await holder.executeScript(
                "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT FROM slot WHERE slot = 5 FOR UPDATE")
            async let made = Self.enrol(people, limit: 1)
            _ = try await awaitFact("the enroller to wait") {
                try await database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await holder.executeScript(
                "SELECT FROM account WHERE account_id = \(people.anna.account.rawValue) FOR NO KEY UPDATE; COMMIT")
            let outcome = try await made
            #expect(outcome == "made")
            await holder.close()
        }
    }

    /// The enroller's role makes what was asked for, and nothing else.
    @Test func theEnrollerMakesWhatWasAskedFor() async throws {
        try await Self.with { people in
            let before = try await people.fixture.database.sql(
                "SELECT md5(string_agg(d::text, ',' ORDER BY device_id)) FROM device d")
            for call in [
                "enrol_device(gen_random_uuid(), 1::smallint, 5::smallint, sha256('x'), repeat('0', 16), repeat('0', 16), sha256('x'), '\\x01', '{1}', '{pH}', '{60}', '{80}', '{red}', '{1}')",
                "rekey_device(gen_random_uuid(), 1::smallint, 2, repeat('0', 16), sha256('x'), '\\x01')",
            ] {
                #expect(try await people.fixture.database.sql("SELECT \(call)", as: .enroller) == "gone")
            }
            // A device that is asked for is given no key in the place of another's.
            #expect(try await Self.ask(people, people.anna, ["new-1"]) == "asked")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT rekey_device(batch, line, 2, repeat('0', 16), sha256('x'), '\\x01') FROM take_enrolments(1)",
                    as: .enroller) == "gone")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT md5(string_agg(d::text, ',' ORDER BY device_id)) FROM device d")
                    == before)
        }
    }

    /// The broker has the new key by then: the row has it too, and whoever lost the device meanwhile is not told.
    @Test func aKeyIsNotedAlsoWhereItsOwnerIsGone() async throws {
        try await Self.with { people in
            #expect(try await Self.ask(people, people.anna, ["tank-anna"], kind: "rotate") == "asked")
            #expect(try await Self.ask(people, people.ben, ["tank-anna"], kind: "rotate") == "notOwn")
            try await people.fixture.database.sql(
                "UPDATE session SET ended_at = now(), ended_because = 'signedOut' WHERE account_id = \(people.anna.account.rawValue)"
            )
            #expect(
                try await people.fixture.database.sql(
                    "SELECT rekey_device((SELECT batch FROM take_enrolments(1)), 1::smallint, 2, repeat('0', 16), sha256('x'), '\\x01')",
                    as: .enroller) == "withdrawn")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT concat_ws(' ', key_generation, key_hash = sha256('x')) FROM device WHERE hardware_id = 'tank-anna'"
                )
                    == "2 t")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT concat_ws(' ', state, reason, sealed) FROM enrolment_device")
                    == "refused withdrawn")
        }
    }

    /// A person who fills the log keeps the enroller from nothing.
    @Test func aFullLogDoesNotHoldAKeyUp() async throws {
        try await Self.with { people in
            #expect(try await Self.ask(people, people.anna, ["tank-anna"], kind: "rotate") == "asked")
            try await people.fixture.database.sql("UPDATE growth_bound SET a_day = 24 WHERE held = 'audit_entry'")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT rekey_device(batch, line, 2, repeat('0', 16), sha256('x'), '\\x01') FROM take_enrolments(1)",
                    as: .enroller) == "made")
            #expect(
                try await people.fixture.database.sql("SELECT actor FROM audit_entry WHERE action = 'device.rotateKey'")
                    == "system")
        }
    }

    @Test func whatIsDoneIsForgottenAnHourLaterAndWhatWaitsEnds() async throws {
        try await Self.with { people in
            let database = people.fixture.database
            #expect(try await Self.ask(people, people.anna, ["new-1"]) == "asked")
            #expect(try await Self.enrol(people) == "made")
            #expect(try await Self.ask(people, people.ben, ["new-2"]) == "asked")
            let forget = "SELECT forget_enrolments(10)"
            #expect(try await database.sql(forget, as: .ingestor) == "0")
            try await database.sql(
                """
                UPDATE enrolment SET done_at = now() - interval '59 minutes', asked_at = now() - interval '2 hours' WHERE done_at IS NOT NULL;
                UPDATE enrolment SET asked_at = now() - interval '25 hours' WHERE done_at IS NULL
                """)
            #expect(
                try await database.sql(
                    "SELECT enrolment_waits_seconds BETWEEN 90000 AND 90060 FROM take_census()", as: .ingestor) == "t")
            #expect(try await database.sql(forget, as: .ingestor) == "1")
            #expect(
                try await database.sql(
                    "SELECT string_agg(concat_ws('/', state, reason), ' ' ORDER BY state) FROM enrolment_device")
                    == "made refused/late")
            try await database.sql(
                "UPDATE enrolment SET done_at = done_at - interval '2 minutes', asked_at = asked_at - interval '1 day'")
            #expect(try await database.sql(forget, as: .ingestor) == "1")
            #expect(try await database.sql("SELECT count(*) FROM enrolment_device WHERE state = 'made'") == "0")
            #expect(try await database.sql("SELECT enrolment_waits_seconds FROM take_census()", as: .ingestor) == "0")
        }
    }

    /// With an account goes what it asked for, and nothing keeps its number.
    @Test func nothingStaysOfAClosedAccount() async throws {
        try await Self.with { people in
            #expect(try await Self.ask(people, people.anna, ["new-1", "new-2"]) == "asked")
            #expect(try await Self.enrol(people, limit: 1) == "made")
            try await people.fixture.database.sql("SELECT close_account(\(people.anna.account.rawValue))")
            #expect(
                try await people.fixture.database.sql(
                    "SELECT concat_ws(' ', (SELECT count(*) FROM enrolment), (SELECT count(*) FROM enrolment_day), (SELECT count(enrolled_for) FROM device))"
                )
                    == "0 0 0")
        }
    }
}
