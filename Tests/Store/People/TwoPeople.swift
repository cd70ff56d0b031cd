import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Two people, each with everything that a person can have, and the Gateway's connection.
struct TwoPeople: Sendable {
    let fixture: SchemaFixture
    let gateway: PostgresConnection
    let anna: Person
    let ben: Person

    struct Person: Sendable {
        let account: Account.ID
        let device: DeviceKey
        let session: SessionID
    }

    static let client = SessionClient(id: ClientID(rawValue: 7), name: "Safari", address: "192.0.2.1/32")

    static func with(_ body: @Sendable (TwoPeople) async throws -> Void) async throws {
        try await SchemaFixture.with { fixture in
            let gateway = try await SchemaFixture.connect(fixture.database, .gateway)
            let people = TwoPeople(
                fixture: fixture, gateway: gateway,
                anna: try await add("anna", fixture, gateway), ben: try await add("ben", fixture, gateway))
            try await body(people)
            await gateway.close()
        }
    }

    static func hash(_ text: String) -> [UInt8] {
        Array(text.utf8) + Array(repeating: 0, count: 32 - text.utf8.count)
    }

    private static func add(
        _ name: String, _ fixture: SchemaFixture, _ gateway: PostgresConnection
    ) async throws -> Person {
        let account = try await fixture.addAccount(name)
        let device = try await fixture.addDevice("tank-\(name)")
        try await fixture.link(device, to: account)
        let session = try await open(account, "\(name)-1", gateway)
        try await gateway.transaction { transaction in
            _ = try transaction.execute(EnterSession(session))
            _ = try transaction.execute(
                AddPersonalToken(
                    of: account, hash: hash("\(name)-token"), name: "CI", scope: .read, lastFour: "abcd",
                    expiresAt: nil,
                    most: 50))
            _ = try transaction.execute(ClaimIdempotencyKey(account, key: "k", fingerprint: hash("f")))
            let number = try #require(
                try transaction.execute(
                    NumberEndpoint(channel: .webhook, target: "https://\(name).example.org", account: account)
                ).first)
            _ = try transaction.execute(
                AddEndpoint(
                    endpoint: number.endpoint, account: account, channel: .webhook,
                    target: "https://\(name).example.org", sealedSecret: [1], client: client.id))
        }
        try await fixture.database.sql(rows(of: account, device))
        return Person(account: account, device: device, session: session)
    }

    static func open(
        _ account: Account.ID, _ token: String, client: SessionClient = client, _ gateway: PostgresConnection
    ) async throws -> SessionID {
        let opened = try await gateway.execute(
            OpenSession(account, checkedHash: "scrypt$test", client: client, refreshTokenHash: hash(token)))
        let session = try #require(opened.first)
        return try #require(session)
    }

    /// Rows that the services write for a person.
    private static func rows(of account: Account.ID, _ device: DeviceKey) -> String {
        let (slot, id, person) = (device.slot.rawValue, device.device.rawValue, account.rawValue)
        return """
            INSERT INTO device_status VALUES (\(slot), \(id), true, now());
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT \(slot), 0, \(id), now() - n * interval '1 hour', now(), 7 FROM generate_series(0, 50) n;
            INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
                VALUES (\(slot), \(id), date_trunc('hour', now(), 'UTC') - interval '3 hours', 7, 7, 7, 1);
            INSERT INTO sample_day (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
                VALUES (\(slot), \(id), date_trunc('day', now(), 'UTC') - interval '48 hours', 7, 7, 7, 1);
            INSERT INTO time_outside (slot, device_id, account_id, parameter, day, seconds)
                VALUES (\(slot), \(id), \(person), 1, date_trunc('day', now(), 'UTC') - interval '48 hours',
                    array_fill(60::smallint, ARRAY[24]));
            INSERT INTO rollup_due VALUES (\(slot), \(id), date_trunc('hour', now(), 'UTC') - interval '3 hours');
            INSERT INTO quality_due VALUES (\(slot), \(id), date_trunc('day', now(), 'UTC') - interval '24 hours');
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst)
                VALUES (\(slot), \(id), 1, \(person), \(person), 'range', 'high', now(), now(), 9);
            INSERT INTO transition (slot, episode_id, event_time, reason, notification)
                VALUES (\(slot), \(person), now(), 'opened', 'alerted');
            INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                    event_time, state)
                VALUES (\(slot), \(id), 1, \(person), nextval('alert_id'), \(person), 'range', 'alarm', 'high', now(), now(),
                    'sending');
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
                SELECT a.slot, a.account_id, a.alert_id, e.endpoint_id, now() + interval '30 minutes'
                FROM alert a JOIN endpoint e ON e.account_id = a.account_id WHERE a.account_id = \(person);
            INSERT INTO delivery_attempt (slot, alert_id, endpoint_id, attempt, started_at, duration_us, outcome, detail)
                SELECT slot, alert_id, endpoint_id, 1, now(), 1000, 'retry', '503' FROM delivery
                WHERE account_id = \(person);
            INSERT INTO endpoint_retirement (slot, endpoint_id, registration, retired_because)
                SELECT 1, endpoint_id, 0, 'an earlier registration' FROM endpoint WHERE account_id = \(person);
            INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
                SELECT slot, device_id, parameter, account_id, kind, now(), alert_id FROM alert
                WHERE account_id = \(person);
            INSERT INTO quiet_hours
                SELECT account_id, date_trunc('minute', (now() - interval '1 hour') AT TIME ZONE time_zone)::time,
                    date_trunc('minute', (now() + interval '1 hour') AT TIME ZONE time_zone)::time, 127, true
                FROM account WHERE account_id = \(person);
            INSERT INTO summary_choice (account_id, rhythm, weekday, at_time, proofs)
                VALUES (\(person), 'off', 1, '08:00', 'push');
            INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at, account_id)
                SELECT slot, tank_id, device_id, gen_random_uuid(), 'Feed', 'feed', 'day', 1, '08:00', 'UTC', '2026-01-01', now(), now(), now(),
                    account_id FROM ownership WHERE account_id = \(person);
            INSERT INTO reminder_person SELECT slot, reminder_id, account_id FROM reminder WHERE account_id = \(person);
            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
                SELECT slot, tank_id, reminder_id, gen_random_uuid(), '2026-01-01 08:00', 'done', now(), account_id FROM reminder
                WHERE account_id = \(person);
            INSERT INTO reminder_telling (slot, reminder_id, account_id, on_at, due_at, waits_at)
                SELECT slot, reminder_id, account_id, '2026-01-02 08:00', now(), now() + interval '1 hour' FROM reminder
                WHERE account_id = \(person);
            INSERT INTO calendar_feed (account_id, token_hash, name) VALUES (\(person), sha256('feed \(person)'), 'Tanks');
            INSERT INTO own_preset (account_id, name, limits) VALUES (\(person), 'Winter', '{"0": {"unit": "C", "maximum": 240}}');
            WITH page AS (
                INSERT INTO public_page (account_id, slot, tank_id, device_id, token_hash, sealed_token, title, parameters, days, limits)
                SELECT account_id, slot, tank_id, device_id, sha256('page \(person)'), 'sealed', 'Pond', 2, 7, true FROM ownership
                WHERE account_id = \(person) RETURNING page_id, slot, tank_id)
                INSERT INTO public_page_tank (page_id, place, slot, tank_id) SELECT page_id, 1, slot, tank_id FROM page;
            WITH plan AS (
                INSERT INTO site_plan (account_id, place, name) VALUES (\(person), 1, 'Hall') RETURNING plan_id),
                picture AS (
                INSERT INTO plan_picture (plan_id, type, width, height, content) SELECT plan_id, 'image/png', 1, 1, '\\x01' FROM plan)
                INSERT INTO plan_place (plan_id, slot, tank_id, x, y)
                SELECT plan_id, slot, tank_id, 500, 500 FROM plan, ownership WHERE account_id = \(person) AND role = 'owner';
            INSERT INTO zone (account_id, place, name, outline)
                VALUES (\(person), 1, 'River', '{48000000,16000000,48100000,16000000,48000000,16100000}');
            UPDATE ownership SET latitude = 48, longitude = 16 WHERE account_id = \(person);
            INSERT INTO account_identity (account_id, issuer, subject) VALUES (\(person), 'https://id.example', '\(person)');
            INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
                SELECT \(slot), \(id), account_id, 1, 10, endpoint_id FROM endpoint WHERE account_id = \(person);
            INSERT INTO escalation (slot, device_id, account_id, kind, next_at)
                VALUES (\(slot), \(id), \(person), 'silence', now() + interval '1 minute');
            INSERT INTO escalation_call (slot, escalation_id, after_minutes, account_id, outcome)
                SELECT slot, escalation_id, 10, account_id, 'told' FROM escalation WHERE account_id = \(person);
            INSERT INTO gathering VALUES (\(person), now(), 'quietHours', now() + interval '1 hour');
            INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                VALUES (\(slot), \(id), 1, \(person), 'range', 'high', now() + interval '1 hour');
            UPDATE ownership SET latitude = 48.2, longitude = 16.4 WHERE account_id = \(person) AND role = 'owner';
            INSERT INTO track VALUES (\(slot), \(id), now(), 4820812, 1637382, 5);
            INSERT INTO station_host (host) VALUES ('api.waterdata.usgs.gov') ON CONFLICT DO NOTHING;
            INSERT INTO station (slot, tank_id, device_id, account_id, kind, address, host)
                SELECT slot, ownership_id, device_id, account_id, 'usgs', '01646500', 'api.waterdata.usgs.gov' FROM ownership
                WHERE account_id = \(person) AND role = 'owner';
            INSERT INTO temperature_probe (slot, device_id, probe_id) VALUES (\(slot), \(id), 'AA01');
            INSERT INTO reported_probe VALUES (\(slot), \(id), 'AA02', 19, now());
            INSERT INTO device_life (slot, device_id, family, version, noted_at) VALUES (\(slot), \(id), 'native', '1.8.0', now());
            INSERT INTO device_life_day (slot, device_id, day, noted_at) VALUES (\(slot), \(id), (now() AT TIME ZONE 'UTC')::date, now());
            INSERT INTO device_life_change (slot, device_id, at, kind, value) VALUES (\(slot), \(id), now(), 'version', '1.8.0');
            INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
                SELECT slot, device_id, tank_id, gen_random_uuid(), account_id, now() FROM ownership WHERE account_id = \(person);
            INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
                SELECT slot, 1, device_id, tank_id, test_id, at, 7, 7, 'pH' FROM hand_test WHERE account_id = \(person);
            INSERT INTO field_protocol (account_id, protocol_id, version, content) VALUES (\(person), 'pond', 1, '{}');
            INSERT INTO field_sample (slot, tank_id, sample_id, device_id, account_id, changed_by, version, state, begun_at, content)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, account_id, 2, 'done', now(), '{}' FROM ownership
                WHERE account_id = \(person);
            INSERT INTO field_sample_version (slot, tank_id, sample_id, version, account_id, state, content, written_at)
                SELECT slot, tank_id, sample_id, 1, account_id, 'begun', content, now() FROM field_sample WHERE account_id = \(person);
            WITH project AS (INSERT INTO account (kind, display_name) VALUES ('project', 'Board of \(person)') RETURNING account_id)
                INSERT INTO sample_sending (slot, tank_id, project_id, device_id, account_id)
                SELECT o.slot, o.tank_id, p.account_id, o.device_id, o.account_id FROM ownership o, project p WHERE o.account_id = \(person);
            INSERT INTO sample_reception VALUES (\(person), 1);
            INSERT INTO received_sample (project_id, sample_id, version, sequence, state, slot, tank_id, device_id, account_id)
                SELECT account_id, sample_id, version, 1, 'done', slot, tank_id, device_id, account_id FROM field_sample
                WHERE account_id = \(person);
            INSERT INTO calibration (slot, tank_id, device_id, calibration_id, parameter, account_id, kind, at, unit, standards, befores,
                    afters, millivolts)
                SELECT slot, tank_id, device_id, gen_random_uuid(), 1, account_id, 'check', now(), 'pH', '{7}', '{7.1}', '{NULL}', '{NULL}'
                FROM ownership WHERE account_id = \(person);
            INSERT INTO tank_answers (slot, tank_id, version, device_id, account_id, litres)
                SELECT slot, tank_id, 1, device_id, account_id, 180 FROM ownership WHERE account_id = \(person);
            INSERT INTO deletion (slot, tank_id, device_id, account_id, since, until, parameters, messages, readings)
                SELECT slot, tank_id, device_id, account_id, now() - interval '1 hour', now(), 1, 1, 1 FROM ownership WHERE account_id = \(person);
            INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, '2026-05-01Z', '2026-05-02Z' FROM ownership
                WHERE account_id = \(person);
            INSERT INTO device_clock (slot, device_id) VALUES (\(slot), \(id));
            INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, 'note', now() FROM ownership WHERE account_id = \(person);
            INSERT INTO journal_photo (slot, tank_id, photo_id, entry_id, account_id, type, width, height, content)
                SELECT slot, tank_id, gen_random_uuid(), entry_id, account_id, 'image/png', 1, 1, '\\x01' FROM journal_entry
                WHERE account_id = \(person);
            INSERT INTO inventory_item (slot, tank_id, item_id, account_id, list, name, count)
                SELECT slot, tank_id, gen_random_uuid(), account_id, 'livestock', 'Neon', 9 FROM ownership WHERE account_id = \(person);
            WITH batch AS (
                INSERT INTO enrolment (account_id, made_by, made_in, kind, links, public_key, auth)
                SELECT account_id, account_id, session_id, 'make', true, decode(repeat('04', 65), 'hex'), decode(repeat('01', 16), 'hex')
                FROM session WHERE account_id = \(person) RETURNING batch_id)
                INSERT INTO enrolment_device (batch_id, line, hardware_id, name) SELECT batch_id, 1, 'pond-1', 'Pond' FROM batch;
            INSERT INTO device_invitation (slot, place, device_id, account_id, token_hash, expires_at)
                VALUES (\(slot), 1, \(id), \(person), sha256('\(person)'), now() + interval '7 days');
            WITH project AS (INSERT INTO account (kind, display_name) VALUES ('project', 'Farm') RETURNING account_id),
                member AS (INSERT INTO project_member (project_id, account_id, role) SELECT account_id, \(person), 'owner' FROM project)
                INSERT INTO project_invitation (project_id, place, token_hash, role, made_by, expires_at)
                SELECT account_id, 1, sha256('project of \(person)'), 'viewer', \(person), now() + interval '7 days' FROM project;
            """
    }

    /// The slot and the number of a person's tank, for the columns of a row.
    func tank(of person: Person) async throws -> String {
        try await fixture.database.sql(
            "SELECT slot || ', ' || tank_id FROM ownership WHERE account_id = \(person.account.rawValue)")
    }

    /// The id of a person's entry in the journal.
    func entry(of person: Person) async throws -> String {
        try await fixture.database.sql(
            "SELECT entry_id FROM journal_entry WHERE account_id = \(person.account.rawValue)")
    }

    func sample(of person: Person) async throws -> String {
        try await fixture.database.sql(
            "SELECT sample_id FROM field_sample WHERE account_id = \(person.account.rawValue)")
    }

    /// Runs one statement as the Gateway in a person's transaction, and returns its result.
    func asGateway(of person: Person? = nil, _ sql: String) async throws -> String {
        let session = person.map { "SELECT account FROM enter_session('\($0.session)') \\gset\n" } ?? ""
        return try await fixture.database.sql("BEGIN;\n\(session)\(sql);\nCOMMIT;", as: .gateway)
    }
}
