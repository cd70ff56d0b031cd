import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// Row-level security hides others' rows even from a statement without a clause. Tables come from the system catalogue,
/// so a new table cannot be forgotten.
@Suite struct RowSecurityTests {
    /// Tables with a column that refers to an account, or to something of an account, and the tables of devices.
    private static let tablesOfPeople = """
        SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND (
            EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                AND a.attname IN ('account_id', 'endpoint_id', 'alert_id', 'episode_id', 'session_id', 'used_by'))
            OR c.relname IN ('device', 'device_status'))
        """

    /// `session_id` is the session of an Ingestor's seat at the broker.
    private static let notOfPeople = ["ingest_seat"]

    @Test func everyTableOfPeopleHasRowSecurity() async throws {
        try await SchemaFixture.with { fixture in
            let open = try await fixture.database.sql(
                """
                SELECT c.relname FROM pg_class c WHERE c.relname IN (\(Self.tablesOfPeople)) AND NOT c.relrowsecurity
                    AND c.relnamespace = 'public'::regnamespace ORDER BY 1
                """)
            #expect(open.split(separator: "\n").map(String.init) == Self.notOfPeople)
        }
    }

    /// Each relation that the Gateway may read or write is filtered by person, or listed here.
    @Test func everyRightOfTheGatewayIsOnFilteredRows() async throws {
        try await SchemaFixture.with { fixture in
            let unfiltered = try await fixture.database.sql(
                """
                SELECT DISTINCT c.relname FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
                    AND (has_column_privilege('aqua_gateway', c.oid, a.attnum, 'SELECT')
                        OR has_column_privilege('aqua_gateway', c.oid, a.attnum, 'INSERT')
                        OR has_column_privilege('aqua_gateway', c.oid, a.attnum, 'UPDATE'))
                    AND NOT EXISTS (
                        SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND c.relrowsecurity AND p.polpermissive
                            AND p.polroles = ARRAY['aqua_gateway'::regrole::oid]
                            AND pg_get_expr(p.polqual, p.polrelid) LIKE '%current_account()%')
                ORDER BY 1
                """)
            #expect(
                unfiltered.split(separator: "\n").map(String.init) == [
                    "account_event", "app_channel", "clock_watch", "current_quiet_hours", "journal_item",
                    "own_protocol", "person_change",
                    "person_clock",
                    "person_device", "person_enrolment", "person_enrolment_device",
                    "person_life", "person_life_change", "person_life_day", "person_plan",
                    "person_plan_place", "person_point", "person_preset",
                    "person_probe",
                    "person_project",
                    "person_project_invitation", "person_project_made", "person_protocol",
                    "person_quality_due", "person_received", "person_reject",
                    "person_rollup_due",
                    "person_sample",
                    "person_sample_day",
                    "person_sample_hour", "person_sending", "person_tank", "person_track", "person_watcher",
                    "person_work", "person_zone",
                    "project_person",
                    "reminder_person",  // by the policy of its reminder
                    "rollup_progress", "schema_migration",
                    "schema_script",
                    "station_host",  // of nobody
                    "tank_person", "usable_endpoint", "vapid_key",
                ])
            let views = try await fixture.database.sql(
                """
                SELECT viewname FROM pg_views WHERE schemaname = 'public' AND definition NOT LIKE '%current_account()%'
                    AND definition NOT LIKE '%person_project%' -- those of whoever acts
                """)
            #expect(
                views.split(separator: "\n").sorted() == [
                    "current_answer", "current_quiet_hours", "device_work", "journal_item",
                    "operated_device",
                    "person_project",
                    "reachable_account",
                    "usable_endpoint",
                ],
                "two are for functions alone, one is the engine's, four run with the rights of whoever asks, and one is of whoever acts"
            )
        }
    }

    private static let readable = [
        "account", "ownership", "setting", "episode", "transition", "alert", "delivery", "delivery_attempt",
        "endpoint", "endpoint_retirement", "usable_endpoint", "device", "device_invitation", "session",
        "personal_token", "idempotency_key", "person_device", "person_sample", "person_sample_hour",
        "person_sample_day", "person_track", "place", "station",
        "person_rollup_due", "person_quality_due", "person_probe", "person_life", "person_life_day",
        "person_life_change", "person_clock",
        "snooze", "time_outside",
        "quiet_hours", "gathering", "current_quiet_hours", "escalation", "escalation_call",
        "summary_choice", "journal_entry", "journal_photo", "inventory_item", "journal_item",
        "reminder", "reminder_person", "reminder_act", "reminder_telling", "calendar_feed",
        "hand_test", "hand_value", "calibration", "tank_answers", "person_project", "project_person",
        "person_project_invitation", "account_identity", "deletion", "approval", "public_page", "public_page_tank",
        "person_enrolment",
        "person_enrolment_device", "person_preset",
        "person_plan", "person_plan_place", "person_zone", "person_point", "field_sample", "field_sample_version",
        "person_protocol", "own_protocol", "person_sending", "person_received",
    ]

    @Test func aPersonSeesTheirRowsAndNoOthers() async throws {
        try await TwoPeople.with { people in
            for table in Self.readable {
                let sql = "SELECT count(*) FROM \(table)"
                #expect(try await people.asGateway(sql) == "0", "\(table): nobody is named")
                let anna = try await people.asGateway(of: people.anna, sql)
                let ben = try await people.asGateway(of: people.ben, sql)
                let all = try await people.fixture.database.sql(
                    table == "account"
                        ? "\(sql) WHERE kind = 'person'"
                        : table.hasPrefix("person_") || ["project_person", "own_protocol"].contains(table)
                            ? "SELECT \((Int(anna) ?? 0) + (Int(ben) ?? 0))" : sql)
                #expect(anna != "0" && ben != "0", "\(table)")
                #expect((Int(anna) ?? 0) + (Int(ben) ?? 0) == Int(all), "\(table)")
            }
        }
    }

    /// A client with the Gateway's role can set `aqua.account` but cannot compute its seal.
    @Test func nobodyIsNamedWithoutASecretOfTheirs() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna.account.rawValue, people.ben.account.rawValue)
            let seen = "SELECT count(*) FROM account"
            for forged in ["\(anna)", "\(anna) ", "\(anna) \(String(repeating: "0", count: 64))", " ", ""] {
                let set = "SET LOCAL aqua.account = '\(forged)'; \(seen)"
                #expect(try await people.asGateway(set) == "0", "\(forged)")
            }
            // The seal holds for one person and one transaction.
            let swap =
                "SELECT set_config('aqua.account', replace(current_setting('aqua.account'), '\(anna) ', '\(ben) '), true)"
            #expect(try await people.asGateway(of: people.anna, "\(swap) \\gset\n\(seen)") == "0")
            let keep =
                "SELECT current_setting('aqua.account') AS kept \\gset\nCOMMIT; BEGIN; SET LOCAL aqua.account = :'kept'"
            #expect(try await people.asGateway(of: people.anna, "\(keep); \(seen)") == "0")
            #expect(try await people.asGateway(of: people.anna, seen) == "1")
            let person = try await people.asGateway(of: people.anna, "SELECT current_account()")
            #expect(person == "\(anna)")
        }
    }

    /// A later transaction on the same connection has no person.
    @Test func theNameEndsWithTheTransaction() async throws {
        try await TwoPeople.with { people in
            let seen = try await people.asGateway(of: people.anna, "SELECT email FROM account")
            #expect(seen == "anna@example.org")
            #expect(
                try await people.asGateway(of: people.anna, "COMMIT; BEGIN; SELECT count(*) FROM account") == "0")
        }
    }

    private static let changes = [
        "UPDATE account SET locale = 'ja'", "UPDATE ownership SET name = 'Mine'",
        "UPDATE setting SET valid_until = now()",
        "UPDATE alert SET state = 'cancelled'", "UPDATE delivery SET next_attempt_at = now()",
        "UPDATE endpoint SET retired_at = now(), retired_because = 'x'", "UPDATE personal_token SET revoked_at = now()",
        "DELETE FROM personal_token", "UPDATE device_invitation SET used_at = now()", "DELETE FROM device_invitation",
        "UPDATE idempotency_key SET status = 1", "DELETE FROM idempotency_key",
        "UPDATE snooze SET ended_at = now()",
        "UPDATE journal_entry SET text = 'x'", "DELETE FROM journal_entry", "DELETE FROM journal_photo",
        "UPDATE journal_photo SET small = '\\x01', small_type = 'image/png'", "UPDATE inventory_item SET note = 'x'",
        "DELETE FROM inventory_item", "UPDATE calibration SET note = 'x'", "DELETE FROM calibration",
    ]

    @Test(arguments: changes) func aChangeWithoutAClauseChangesNothingOfOthers(_ sql: String) async throws {
        try await TwoPeople.with { people in
            let table = sql.hasPrefix("UPDATE") ? sql.split(separator: " ")[1] : sql.split(separator: " ")[2]
            let rows = "SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM \(table) t WHERE account_id = "
            let ben = try await people.fixture.database.sql(rows + "\(people.ben.account.rawValue)")
            let anna = try await people.fixture.database.sql(rows + "\(people.anna.account.rawValue)")
            _ = try await people.asGateway(of: people.anna, sql)
            #expect(try await people.fixture.database.sql(rows + "\(people.ben.account.rawValue)") == ben)
            let isMine = try await people.fixture.database.sql(rows + "\(people.anna.account.rawValue)") != anna
            #expect(isMine == (table != "alert"), "of alerts only tests can be withdrawn")
        }
    }

    @Test func nobodyAddsRowsForOthers() async throws {
        try await TwoPeople.with { people in
            let (anna, ben) = (people.anna, people.ben)
            let refused = [
                """
                INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
                VALUES (\(ben.account.rawValue), sha256('x'), 'x', 'read', 'abcd')
                """,
                "INSERT INTO idempotency_key VALUES (\(ben.account.rawValue), 'x', sha256('x'))",
                // A setting or an invitation for another person's device.
                """
                INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position)
                VALUES (\(ben.device.slot.rawValue), \(ben.device.device.rawValue), \(anna.account.rawValue), 1, 1, 'x',
                    'red', 1)
                """,
                """
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                VALUES (\(ben.device.slot.rawValue), \(ben.device.device.rawValue), 1, \(anna.account.rawValue), 'range',
                    'low', now() + interval '1 hour')
                """,
                """
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                VALUES (\(anna.device.slot.rawValue), \(anna.device.device.rawValue), 1, \(ben.account.rawValue), 'range',
                    'low', now() + interval '1 hour')
                """,
                """
                INSERT INTO device_invitation (slot, place, device_id, account_id, token_hash, expires_at)
                VALUES (\(ben.device.slot.rawValue), 2, \(ben.device.device.rawValue), \(anna.account.rawValue),
                    sha256('x'), now() + interval '1 day')
                """,
                "UPDATE device_invitation SET account_id = \(ben.account.rawValue)",
                // An entry in another person's tank, and one of another in one's own; a photo of another's entry.
                Self.entry(in: try await people.tank(of: ben), by: anna),
                Self.entry(in: try await people.tank(of: anna), by: ben),
                """
                INSERT INTO journal_photo (slot, tank_id, photo_id, entry_id, account_id, type, width, height, content)
                SELECT \(try await people.tank(of: ben)), gen_random_uuid(), '\(try await people.entry(of: ben))',
                    \(anna.account.rawValue), 'image/png', 1, 1, '\\x01'
                """,
                """
                INSERT INTO journal_photo (slot, tank_id, photo_id, sample_id, account_id, type, width, height, content)
                SELECT \(try await people.tank(of: ben)), gen_random_uuid(), '\(try await people.sample(of: ben))',
                    \(anna.account.rawValue), 'image/png', 1, 1, '\\x01'
                """,
                """
                INSERT INTO inventory_item (slot, tank_id, item_id, account_id, list, name, count)
                SELECT \(try await people.tank(of: ben)), gen_random_uuid(), \(anna.account.rawValue), 'livestock', 'x', 1
                """,
                Self.calibration(in: try await people.tank(of: ben), by: anna),
                Self.calibration(in: try await people.tank(of: anna), by: ben),
            ]
            for sql in refused {
                await #expect(throws: (any Error).self, "\(sql)") { try await people.asGateway(of: anna, sql) }
            }
        }
    }

    private static func entry(in tank: String, by person: TwoPeople.Person) -> String {
        """
        INSERT INTO journal_entry (slot, tank_id, device_id, entry_id, account_id, kind, happened_at)
        SELECT \(tank), 1, gen_random_uuid(), \(person.account.rawValue), 'note', now()
        """
    }

    private static func calibration(in tank: String, by person: TwoPeople.Person) -> String {
        """
        INSERT INTO calibration (slot, tank_id, device_id, calibration_id, parameter, account_id, kind, at, unit, standards, befores, afters,
            millivolts)
        SELECT \(tank), 1, gen_random_uuid(), 1, \(person.account.rawValue), 'calibrate', now(), 'pH', '{}', '{}', '{}', '{}'
        """
    }

    /// Functions that bypass row-level security take the person from the session, not from an argument.
    @Test func noFunctionActsForAnother() async throws {
        try await TwoPeople.with { people in
            let (account, slot, device) = (
                people.ben.account.rawValue, people.ben.device.slot.rawValue, people.ben.device.device.rawValue
            )
            for sql in [
                "end_sessions(\(account), NULL, NULL)",
                "replace_password(\(account), 'scrypt$test', 'scrypt$mine', NULL)",
                "rehash_password(\(account), 'scrypt$test', 'scrypt$mine')",
                "claim_device(ARRAY[sha256('x')], \(account), 'x', '{}', '{}', '{}', '{}', '{}', '{}')",
                "unlink_device(\(slot)::smallint, \(device), \(account), sha256('x'), 'abcdabcdabcdabcd')",
                "end_watching(\(slot)::smallint, \(device), \(account))",
                "join_device(sha256('x'), \(account), 'x', '{}', '{}', '{}', '{}', '{}', '{}')",
                "number_endpoint('webhook', 'https://x', \(account))",
                "add_endpoint(99, \(account), 'webhook', 'https://x', '', NULL)",
                "add_test_alert(\(account), gen_random_uuid(), NULL, 10)",
                "send_again(\(account), 99, '{1}', '{1}', 10)",
                "close_account(\(account))",
                "number_web_push('https://x', '', gen_random_uuid(), \(account))",
                "add_web_push(99, \(account), 'https://x', '', '', '', gen_random_uuid())",
                "number_installed('apns', 'https://x', NULL, gen_random_uuid(), \(account))",
                "add_installed(99, \(account), 'apns', 'https://x', '', NULL, NULL, gen_random_uuid())",
            ] {
                for person in [people.anna, nil] {
                    let error = await #expect(throws: (any Error).self, "\(sql)") {
                        try await people.asGateway(of: person, "SELECT \(sql)")
                    }
                    #expect(
                        "\(error.map(String.init(describing:)) ?? "")".contains("another person is named"), "\(sql)")
                }
            }
            let linked = try await people.fixture.database.sql(
                "SELECT count(*) FROM ownership WHERE unlinked_at IS NULL")
            #expect(linked == "2")
        }
    }

    /// Readings are visible only for the intervals of ownership: not those of the owner before, nor those after
    /// unlinking.
    @Test func readingsAreThoseOfTheTimeInWhichTheDeviceWasTheirs() async throws {
        try await TwoPeople.with { people in
            let (slot, device) = (people.anna.device.slot.rawValue, people.anna.device.device.rawValue)
            func seen(_ person: TwoPeople.Person) async throws -> String {
                try await people.asGateway(
                    of: person,
                    """
                    SELECT (SELECT count(*) FROM person_sample WHERE slot = \(slot) AND device_id = \(device)) || ' '
                        || (SELECT count(*) FROM person_sample_hour WHERE slot = \(slot) AND device_id = \(device)) || ' '
                        || (SELECT count(*) FROM person_sample_day WHERE slot = \(slot) AND device_id = \(device))
                    """)
            }
            #expect(try await seen(people.anna) == "51 1 1", "also what came before the first owner")
            // Anna had the device until two and a half hours ago, and Ben has had it since.
            try await people.fixture.database.sql(
                """
                UPDATE ownership SET linked_at = now() - interval '9 days',
                    unlinked_at = now() - interval '2 hours 30 minutes' WHERE device_id = \(device);
                INSERT INTO ownership (slot, device_id, account_id, name, linked_at)
                VALUES (\(slot), \(device), \(people.ben.account.rawValue), 'Pond', now() - interval '2 hours 30 minutes');
                """)
            #expect(try await seen(people.ben) == "3 0 0")
            let anna = try await seen(people.anna)
            #expect(anna.hasPrefix("48 ") && anna.hasSuffix(" 1"), "\(anna)")
            // A watcher who joins now sees none of them.
            try await people.fixture.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name, role)
                VALUES (\(slot), \(device), \(people.anna.account.rawValue), 'Pond', 'watcher')
                """)
            #expect(try await seen(people.anna) == anna)
        }
    }
}
