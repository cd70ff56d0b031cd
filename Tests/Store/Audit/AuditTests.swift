import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Ingestor
@testable import Operator

/// The log of what changed rights, limits, ways, devices and accounts.
@Suite struct AuditTests {
    // MARK: The list of actions

    /// The database knows the list of the program, and a script writes each of it.
    @Test func `each action is written by some script, and no other can be`() async throws {
        let scripts = Schema.scripts.map(\.sql).joined(separator: "\n")
        for action in AuditAction.allCases {
            let count = scripts.ranges(of: "'\(action.rawValue)'").count
            #expect(count >= 2, "\(action.rawValue): in the list, and where it is written")
            #expect(action.rawValue.contains(/^[a-z][a-zA-Z]+\.[a-z][a-zA-Z]+$/))
        }
        try await SchemaFixture.with { fixture in
            let error = await #expect(throws: TestSupportError.self) {
                try await fixture.database.sql(
                    "SELECT note_act(jsonb_populate_record(NULL::audit_entry, '{\"action\": \"moon.land\"}'))",
                    as: .owner)
            }
            #expect(error?.description.contains("no action is called moon.land") == true)
        }
    }

    /// Columns whose values triggers write into the log: none holds a secret, not even its hash.
    @Test func `no column of a secret is told`() async throws {
        try await SchemaFixture.with { fixture in
            let told = try await fixture.database.sql(
                """
                SELECT DISTINCT unnest(string_to_array(split_part(encode(tgargs, 'escape'), '\\000', 2), ' ')) FROM pg_trigger
                WHERE tgfoid = 'row_is_noted'::regproc AND NOT tgisinternal
                """
            ).split(separator: "\n")
            #expect(told.count > 20)
            for column in told {
                #expect(
                    !column.contains(/hash|secret|sealed|token|password|code|target|fingerprint|email/), "\(column)")
            }
        }
    }

    // MARK: Acts

    private static func change(
        _ people: TwoPeople, _ person: TwoPeople.Person, maximum: Int32, in transaction: PostgresTransaction
    ) throws {
        let key = WatchKey(device: person.device, parameter: .ph, account: person.account)
        let current = try #require(try transaction.execute(ReadSetting(key)).first)
        var next = current
        next.maximum = maximum
        next.colour = "#0000\(maximum % 90 + 10)"
        try transaction.replaceSetting(key, current, by: next)
    }

    private static let limits = "SELECT count(*) FROM audit_entry WHERE action = 'limit.change'"

    @Test func `a change is noted in its transaction, with who, from where, and the values in the unit`() async throws {
        try await TwoPeople.with { people in
            try await people.gateway.transaction { transaction in
                try transaction.perform(NameRequest(id: "r-1", network: "2001:db8:1:2::/64", client: "Safari"))
                _ = try transaction.execute(EnterSession(people.anna.session))
                _ = try transaction.execute(NameSession(people.anna.session))
                try Self.change(people, people.anna, maximum: 88, in: transaction)
            }
            let noted = try await people.fixture.database.sql(
                """
                SELECT actor, actor_id, account_id, owner_id IS NULL, changes -> 'maximum' -> 1, changes ? 'colour', session_id, request,
                    network, client FROM audit_entry WHERE action = 'limit.change'
                """)
            let anna = people.anna.account.rawValue
            #expect(
                noted
                    == "account|\(anna)|\(anna)|t|8.8|f|\(people.anna.session)|r-1|2001:db8:1::/48|Safari")
            await #expect(throws: CancellationError.self) {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(people.anna.session))
                    try Self.change(people, people.anna, maximum: 87, in: transaction)
                    throw CancellationError()
                }
            }
            #expect(try await people.fixture.database.sql(Self.limits) == "1", "what was undone was not done")
        }
    }

    @Test func `a token acts by its name, and its first use of a day is noted once`() async throws {
        try await TwoPeople.with { people in
            for maximum in [Int32(88), 87] {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterToken(hash: TwoPeople.hash("anna-token")))
                    try Self.change(people, people.anna, maximum: maximum, in: transaction)
                }
            }
            let noted = try await people.fixture.database.sql(
                "SELECT action, actor, actor_name FROM audit_entry WHERE actor = 'token' ORDER BY entry_id")
            #expect(noted == "token.use|token|CI\nlimit.change|token|CI\nlimit.change|token|CI")
        }
    }

    @Test func `an operator is told apart from people, and people are not told their name`() async throws {
        try await TwoPeople.with { people in
            try await people.fixture.owner.executeScript(
                """
                SET aqua.operator = 'root';
                UPDATE account SET locale = 'de' WHERE account_id = \(people.anna.account.rawValue);
                UPDATE device SET key_generation = key_generation + 1 WHERE device_id = \(people.anna.device.device.rawValue);
                UPDATE retention SET keep = '700 days' WHERE kind = 'audit'
                """)
            let noted = try await people.fixture.database.sql(
                "SELECT action, actor, actor_name FROM audit_entry WHERE actor_name = 'root' ORDER BY entry_id")
            #expect(
                noted
                    == "account.change|operator|root\ndevice.rotateKey|operator|root\nretention.change|operator|root")
            let shown = try await people.asGateway(
                of: people.anna,
                "SELECT action, actor, actor_name IS NULL FROM person_change ORDER BY entry_id DESC LIMIT 2")
            #expect(shown == "device.rotateKey|operator|t\naccount.change|operator|t")
        }
    }

    // MARK: Who sees what

    /// Ben watches Anna's device.
    private static func share(_ people: TwoPeople) async throws {
        let device = people.anna.device
        try await people.fixture.database.sql(
            """
            INSERT INTO ownership (slot, device_id, account_id, name, role)
            VALUES (\(device.slot.rawValue), \(device.device.rawValue), \(people.ben.account.rawValue), 'Annas', 'watcher');
            INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position)
            SELECT slot, device_id, \(people.ben.account.rawValue), parameter, 1, unit, minimum, maximum, colour, position FROM setting
            WHERE account_id = \(people.anna.account.rawValue) AND valid_until IS NULL
            """)
    }

    @Test func `everybody sees their own, and an owner what concerns the sharing, without others' limits`() async throws
    {
        try await TwoPeople.with { people in
            let mine = "SELECT count(*) FROM person_change"
            #expect(try await people.asGateway(mine) == "0", "nobody is named")
            let before = try await people.asGateway(of: people.anna, mine)
            try await Self.share(people)
            let (slot, device) = (people.anna.device.slot.rawValue, people.anna.device.device.rawValue)
            try await people.gateway.transaction { transaction in
                try transaction.perform(NameRequest(id: "r-2", network: "192.0.2.7/32", client: "Bens"))
                _ = try transaction.execute(EnterSession(people.ben.session))
                let own = TwoPeople.Person(
                    account: people.ben.account, device: people.anna.device, session: people.ben.session)
                try Self.change(people, own, maximum: 88, in: transaction)
                try transaction.executeScript(
                    "SELECT end_watching(\(slot)::smallint, \(device), \(own.account.rawValue))")
            }
            let columns = "action, subject, actor_name, network IS NULL, client IS NULL, session_id IS NULL"
            let annas = try await people.asGateway(
                of: people.anna, "SELECT \(columns) FROM person_change ORDER BY entry_id DESC LIMIT 2")
            #expect(annas == "watcher.leave|Pond|ben|t|t|t\nwatcher.join|Pond||t|t|t")
            #expect(try await people.asGateway(of: people.anna, mine) == "\((Int(before) ?? 0) + 2)")
            let bens = try await people.asGateway(
                of: people.ben, "SELECT action, network FROM person_change ORDER BY entry_id DESC LIMIT 2")
            #expect(bens == "watcher.leave|192.0.2.0/24\nlimit.change|192.0.2.0/24")
            let told = "SELECT kind FROM account_event WHERE account_id = %@ ORDER BY event_id DESC LIMIT 1"
            for (person, kind) in [(people.anna, "watcherLeft"), (people.ben, "watchingEnded")] {
                let query = told.replacing("%@", with: "\(person.account.rawValue)")
                #expect(try await people.asGateway(of: person, query) == kind)
            }
        }
    }

    @Test func `with a person go their own entries, and in others' a word stands for them`() async throws {
        try await TwoPeople.with { people in
            try await Self.share(people)
            let closed = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.ben.session))
                return try transaction.execute(CloseAccount(people.ben.account))
            }
            #expect(closed == [true])
            let ben = people.ben.account.rawValue
            let database = people.fixture.database
            #expect(
                try await database.sql(
                    "SELECT count(*) FROM audit_entry WHERE \(ben) IN (account_id, actor_id, owner_id)") == "0")
            let kept = try await database.sql(
                """
                SELECT action, actor_name ~ '^former-[0-9a-f]{8}$', num_nonnulls(network, client, request, session_id), subject
                FROM audit_entry WHERE owner_id = \(people.anna.account.rawValue) ORDER BY entry_id DESC LIMIT 1
                """)
            #expect(kept == "watcher.leave|t|0|Pond")
            #expect(
                try await database.sql(
                    """
                    SELECT count(DISTINCT coalesce(actor_name, subject)) FROM audit_entry
                    WHERE actor_name LIKE 'former-%' OR subject LIKE 'former-%'
                    """) == "1", "one word in all of them")
            #expect(
                try await database.sql(
                    "SELECT string_agg(subject, ' ' ORDER BY subject) FROM audit_entry WHERE action = 'account.close' AND account_id IS NOT NULL"
                ) == "Farm", "a project's log goes by its age")
        }
    }

    // MARK: Bounds and age

    @Test func `beyond the bound of an hour nothing is changed unseen, and what defends goes on`() async throws {
        try await TwoPeople.with { people in
            let database = people.fixture.database
            let anna = people.anna.account.rawValue
            try await database.sql("UPDATE audit_entry SET actor_id = NULL WHERE actor_id = \(anna)")
            try await database.sql("UPDATE growth_bound SET a_day = 48 WHERE held = 'audit_entry'")
            func change(_ maximum: Int32) async throws {
                try await people.gateway.transaction { transaction in
                    _ = try transaction.execute(EnterSession(people.anna.session))
                    try Self.change(people, people.anna, maximum: maximum, in: transaction)
                }
            }
            try await change(88)
            try await change(87)
            let error = await #expect(throws: PostgresError.self) { try await change(86) }
            #expect(error?.sqlState == "AQ001")
            #expect(try await database.sql(Self.limits) == "2")
            let revoked = try await people.gateway.transaction { transaction in
                _ = try transaction.execute(EnterSession(people.anna.session))
                let token = try #require(
                    try transaction.execute(EnterToken(hash: TwoPeople.hash("anna-token"))).first)
                return try transaction.perform(RevokePersonalToken(of: people.anna.account, token.token))
            }
            #expect(revoked == 1, "whoever fills the log keeps nobody from revoking their token")
            try await database.sql("UPDATE audit_entry SET at = at - interval '2 hours'")
            try await change(85)
        }
    }

    @Test func `refusals are counted by the hour, and few are written`() async throws {
        try await TwoPeople.with { people in
            let refuse = "SELECT note_failed_sign_in('anna@example.org', 'Thief') FROM generate_series(1, 120)"
            _ = try await people.asGateway(refuse)
            _ = try await people.asGateway(refuse.replacing("anna@", with: "nobody@"))
            let database = people.fixture.database
            let times =
                "SELECT string_agg(times::text, ' ' ORDER BY entry_id) FROM audit_entry WHERE action = 'session.refuse' AND account_id"
            #expect(try await database.sql("\(times) = \(people.anna.account.rawValue)") == "1 10 100")
            #expect(try await database.sql("\(times) IS NULL") == "1 10 100")
            try await database.sql("UPDATE refusal_count SET hour = hour - interval '1 hour'")
            _ = try await people.asGateway("SELECT note_failed_sign_in('anna@example.org', 'Thief')")
            #expect(try await database.sql("\(times) = \(people.anna.account.rawValue)") == "1 10 100 1")
        }
    }

    @Test func `months that are past their retention go whole, and what no month took goes row by row`() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await fixture.database.sql(
                """
                SELECT believe_clock(now());
                CREATE TABLE audit_entry_201001 PARTITION OF audit_entry FOR VALUES FROM ('2010-01-01Z') TO ('2010-02-01Z');
                INSERT INTO audit_entry (at, action, actor) VALUES ('2010-01-05Z', 'limit.change', 'system'),
                    ('2010-03-05Z', 'limit.change', 'system'), (now(), 'limit.change', 'system');
                """, as: .owner)
            let drop = DropOldestPartition(of: .audit, keep: .seconds(30 * 86_400))
            #expect(try await ingestor.execute(drop) == ["audit_entry_201001"])
            #expect(try await ingestor.execute(drop) == [nil])
            let left = "SELECT count(*) FROM audit_entry WHERE action = 'limit.change'"
            #expect(try await fixture.database.sql(left) == "1", "as long as the owner wants, whatever a service asks")
            await ingestor.close()
        }
    }

    /// A clock that leapt has filled what has no month.
    @Test func `a month that is made takes what is there of it already`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                """
                SELECT believe_clock(now());
                DO $$ DECLARE month text; BEGIN
                    FOR month IN SELECT relname FROM pg_class WHERE relname ~ '^audit_entry_[0-9]+$' LOOP
                        EXECUTE 'DROP TABLE ' || month;
                    END LOOP;
                END $$;
                INSERT INTO audit_entry (action, actor) VALUES ('limit.change', 'system');
                """, as: .owner)
            #expect(try await fixture.database.sql("SELECT make_audit_partitions() BETWEEN 4 AND 5") == "t")
            #expect(try await fixture.database.sql("SELECT count(*) FROM audit_entry_rest") == "0")
            #expect(try await fixture.database.sql("SELECT count(*) FROM audit_entry") == "1")
        }
    }
}
