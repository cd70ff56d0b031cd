import Foundation
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Each table that a person, a stranger or a device can make grow has a limit, listed in the table `growth_bound`.
@Suite struct BoundTests {
    /// A new table fails this test until it has a row in `growth_bound`: who makes it grow, and what limits it.
    @Test func everyTableHasABound() async throws {
        try await SchemaFixture.with { fixture in
            let tables = """
                SELECT c.relname FROM pg_class c
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                """
            let unlisted = try await fixture.database.sql("\(tables) EXCEPT SELECT held FROM growth_bound")
            #expect(unlisted == "", "not listed")
            let gone = try await fixture.database.sql("SELECT held FROM growth_bound EXCEPT \(tables)")
            #expect(gone == "", "no tables")
            let triggers =
                "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'bounded' AND NOT tgisinternal"
            let listed = "SELECT held FROM growth_bound WHERE kept_by LIKE 'trigger%'"
            #expect(try await fixture.database.sql("\(triggers) EXCEPT \(listed)") == "", "not said")
            #expect(try await fixture.database.sql("\(listed) EXCEPT \(triggers)") == "", "not kept")
        }
    }

    /// Tables with an `account_id` are listed as grown by a person. The exceptions are named below.
    @Test func whatNamesAPersonIsTheirs() async throws {
        try await SchemaFixture.with { fixture in
            let named = try await fixture.database.sql(
                """
                SELECT string_agg(c.relname, ' ' ORDER BY c.relname) FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
                JOIN growth_bound b ON b.held = c.relname
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND b.grown_by <> 'person'
                """)
            #expect(
                named == "account alert canary delivery episode escalation escalation_call throttle time_outside",
                "these come of strangers' sign-ups and of devices")
        }
    }

    /// Sentences of pages that tell a bound of a day; `{day}` and `{all}` are the numbers in force.
    private static let told = [
        ("API.md", "A tank has {day} tests a day and {all} in all", "hand_test"),
        ("API.md", "A person has {day} a day in each tank and {all} in all", "calibration"),
        ("CHANNELS.md", "{day} a day, {all} in all", "endpoint"),
        ("THREATS.md", "sites are bounded as links to devices are, {day} a day", "ownership"),
    ]

    /// The texts of the pages by their names. A sentence may go on in the next line.
    private static func pages() throws -> [String: String] {
        let folder = Paths.repository.appending(path: "deploy")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return try Dictionary(
            uniqueKeysWithValues: files.map { file in
                let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
                return (file, text.replacing("\n", with: " "))
            })
    }

    /// A page that tells a bound of a day fails this test until its sentence is above, and whenever the bound becomes another.
    @Test func pagesTellTheBoundsThatHold() async throws {
        let pages = try Self.pages()
        try await SchemaFixture.with { fixture in
            for (page, sentence, held) in Self.told {
                let bound = try await fixture.database.sql(
                    "SELECT to_char(a_day, 'FM999,999'), to_char(in_all, 'FM999,999') FROM growth_bound WHERE held = '\(held)'"
                ).split(separator: "|")
                let holds = sentence.replacing("{day}", with: bound[0]).replacing("{all}", with: bound[1])
                #expect(pages[page]?.contains(holds) == true, "\(page) does not say: \(holds)")
            }
        }
        for (page, text) in pages {
            let count = text.matches(of: /[0-9][0-9,]* (tests )?a day/).count
            #expect(count == Self.told.filter { $0.0 == page }.count, "\(page) tells \(count) bounds of a day")
        }
    }

    /// Adds rows with one statement each, as a service does.
    private func add(_ count: Int, _ sql: (Int) -> String, _ people: TwoPeople) async throws -> Bool {
        do {
            _ = try await people.asGateway(
                of: people.anna, (0..<count).map(sql).joined(separator: ";\n"))
            return true
        } catch let error as TestSupportError {
            guard error.description.contains("as many rows of") else { throw error }
            return false
        }
    }

    private func snooze(_ people: TwoPeople) -> (Int) -> String {
        let device = people.anna.device
        let values = "\(device.slot.rawValue), 1, \(device.device.rawValue), \(people.anna.account.rawValue)"
        return { number in
            """
            INSERT INTO snooze (slot, parameter, device_id, account_id, kind, side, set_at, snoozed_until, ended_at)
            VALUES (\(values), 'range', 'low', now() + \(number) * interval '1 ms', now() + interval '1 hour', now() + interval '9 min')
            """
        }
    }

    @Test func beyondTheBoundInAllTheOldestThatHasEndedGoes() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            try await database.sql("UPDATE growth_bound SET in_all = 5 WHERE held = 'snooze'")
            #expect(try await add(9, snooze(people), people))
            let anna = "account_id = \(people.anna.account.rawValue)"
            #expect(try await database.sql("SELECT count(*) FROM snooze WHERE \(anna)") == "5")
            #expect(
                try await database.sql("SELECT count(*) FROM snooze WHERE \(anna) AND ended_at IS NULL") == "1",
                "what holds stays")
            #expect(
                try await database.sql(
                    "SELECT max(set_at) - min(set_at) FROM snooze WHERE \(anna) AND ended_at IS NOT NULL")
                    == "00:00:00.003", "the newest four")
            let ben = "account_id = \(people.ben.account.rawValue)"
            #expect(try await database.sql("SELECT count(*) FROM snooze WHERE \(ben)") == "1")
        }
    }

    @Test func beyondTheBoundOfADayNothingIsAdded() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            try await database.sql("UPDATE growth_bound SET a_day = 3 WHERE held = 'snooze'")
            #expect(try await add(2, snooze(people), people))
            #expect(try await !add(1, snooze(people), people))
            try await database.sql("UPDATE snooze SET set_at = set_at - interval '2 days'")
            #expect(try await add(1, snooze(people), people))
        }
    }

    /// Each per-person table with a bounding trigger; the Gateway fills it with a single statement.
    @Test func settingsAndTokensAreHeld() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            try await database.sql("UPDATE growth_bound SET in_all = 30 WHERE held = 'setting'")
            let key = WatchKey(device: people.anna.device, parameter: .ph, account: people.anna.account)
            try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                for number in 0..<40 {
                    let current = try #require(try transaction.execute(ReadSetting(key)).first)
                    var next = current
                    next.colour = number.isMultiple(of: 2) ? "#000000" : "#000001"
                    try transaction.replaceSetting(key, current, by: next)
                }
            }
            let anna = "account_id = \(people.anna.account.rawValue)"
            #expect(try await database.sql("SELECT count(*) FROM setting WHERE \(anna)") == "30")
            #expect(
                try await database.sql("SELECT count(*) FROM setting WHERE \(anna) AND valid_until IS NULL")
                    == "\(Parameter.allCases.count)")
            #expect(try await database.sql("SELECT max(version) FROM setting WHERE \(anna)") == "41")
        }
    }

    @Test func refreshTokensAreHeldAndEndWithTheirSession() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            let client = SessionClient(id: nil, name: "Safari", address: "192.0.2.1/32")
            try await database.sql("UPDATE growth_bound SET in_all = 4 WHERE held = 'refresh_token'")
            let session = try await TwoPeople.open(people.anna.account, "r-0", client: client, people.gateway)
            for number in 1...9 {
                let renewed = try await people.gateway.execute(
                    RefreshSession(
                        hash: TwoPeople.hash("r-\(number - 1)"), successorHash: TwoPeople.hash("r-\(number)"),
                        sealedSuccessor: [1], client: client))
                #expect(renewed.first?.outcome == .renewed)
            }
            let tokens = "SELECT count(*) FROM refresh_token WHERE session_id = '\(session)'"
            #expect(try await database.sql(tokens) == "4")
            let again = RefreshSession(
                hash: TwoPeople.hash("r-7"), successorHash: TwoPeople.hash("x"), sealedSuccessor: [1],
                client: SessionClient(id: nil, name: "Thief", address: "192.0.2.9/32"))
            #expect(try await people.gateway.execute(again).first?.outcome == .reused)
            #expect(try await database.sql(tokens) == "0")
            #expect(try await people.gateway.execute(again).first?.outcome == .unknown)
            try await database.sql("UPDATE growth_bound SET a_day = 2 WHERE held = 'refresh_token'")
            _ = try await TwoPeople.open(people.anna.account, "s-0", client: client, people.gateway)
            _ = try await people.gateway.execute(
                RefreshSession(
                    hash: TwoPeople.hash("s-0"), successorHash: TwoPeople.hash("s-1"), sealedSuccessor: [1],
                    client: client))
            await #expect(throws: PostgresError.self) {
                try await people.gateway.execute(
                    RefreshSession(
                        hash: TwoPeople.hash("s-1"), successorHash: TwoPeople.hash("s-2"), sealedSuccessor: [1],
                        client: client))
            }
        }
    }

    /// The limits do not apply to the schema's owner: an operator may add more for a person with the tool.
    @Test func theOwnerOfTheSchemaIsNotHeld() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql("UPDATE growth_bound SET a_day = 1, in_all = 1")
            let account = try await fixture.addAccount("kim")
            try await fixture.link(try await fixture.addDevice("tank-1"), to: account)
            try await fixture.link(try await fixture.addDevice("tank-2"), to: account)
        }
    }
}
