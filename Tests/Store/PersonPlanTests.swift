import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Store

/// Statements of a person for endpoints and alerts use an index under row-level security, however many other people
/// there are, and return only the person's rows.
@Suite struct PersonPlanTests {
    /// People with three devices' worth of alerts each; person 1 has an endpoint.
    private static let rows = """
        SET session_replication_role = replica;
        INSERT INTO account (email, password_hash)
            SELECT 'a' || n || '@example.org', 'scrypt$test' FROM generate_series(1, 2000) n;
        INSERT INTO device (slot, hardware_id, claim_code_hash)
            SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 2000) n;
        INSERT INTO ownership (slot, device_id, account_id, name)
            SELECT slot, device_id, device_id, 'Pond' FROM device;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position)
            SELECT slot, device_id, account_id, 1, 1, 'pH', 84, 'red', 1 FROM ownership;
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            SELECT n, n, 'webhook', 'https://example.org/' || n, '' FROM generate_series(1, 2000) n;
        INSERT INTO endpoint_retirement SELECT n % 64, n, 1, now(), 'test' FROM generate_series(1001, 2000) n;
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                closed_because, worst)
            SELECT slot, device_id, 1, account_id, device_id * 10 + o, 'range', 'high', now(), now(), now(), 'recovered', 9
            FROM ownership, generate_series(0, 9) o;
        INSERT INTO transition (slot, episode_id, event_time, reason, notification)
            SELECT slot, episode_id, now(), 'opened', 'alerted' FROM episode;
        INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, snoozed_until)
            SELECT slot, device_id, account_id, 'range', 1, 'high', now() + interval '1 hour' FROM ownership;
        INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, uid, episode_id, kind, purpose, side, value,
                limit_value, opened_at, event_time, decided_at, state)
            SELECT slot, device_id, 1, account_id, episode_id, lpad(to_hex(episode_id), 32, '0')::uuid, episode_id, 'range',
                'alarm', 'high', 9, 8.4, now(), now(), now() - episode_id * interval '1 s', 'delivered'
            FROM episode;
        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, account_id, 'accepted', now(), now() FROM alert;
        INSERT INTO delivery_attempt (slot, attempt, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
            SELECT slot, 1, alert_id, account_id, now(), 1, 'accepted', '' FROM alert;
        UPDATE delivery SET state = 'failed' WHERE alert_id % 10 < 3;
        UPDATE episode SET closed_at = NULL, closed_because = NULL WHERE episode_id % 10 = 0;
        INSERT INTO device_status SELECT slot, device_id, true, now() FROM ownership;
        INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM ownership;
        INSERT INTO reported_probe SELECT slot, device_id, 'AA0' || p, 20, now() FROM ownership, generate_series(1, 2) p;
        INSERT INTO device_life (slot, device_id, family, version, noted_at) SELECT slot, device_id, 'native', '1.8.0', now() FROM ownership;
        INSERT INTO device_life_day (slot, device_id, day, noted_at)
            SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - d, now() FROM ownership, generate_series(0, 9) d;
        INSERT INTO device_life_change (slot, device_id, at, kind, value)
            SELECT slot, device_id, now() - c * interval '1 day', 'version', '1.8.' || c FROM ownership, generate_series(0, 4) c;
        INSERT INTO device_reject
            SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date, 'malformed', '', 1, now(), now(), 't', 'd', '' FROM ownership;
        INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at)
            SELECT slot, tank_id, lpad(to_hex(device_id * 100 + n), 32, '0')::uuid, device_id, account_id,
                CASE n % 20 WHEN 0 THEN 'note' ELSE 'fed' END, now() - n * interval '1 day'
            FROM ownership, generate_series(0, 39) n;
        INSERT INTO journal_photo (slot, tank_id, photo_id, entry_id, place, account_id, type, width, height, content)
            SELECT slot, tank_id, entry_id, entry_id, 1, account_id, 'image/png', 1, 1, '\\x01' FROM journal_entry WHERE kind = 'note';
        INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at)
            SELECT slot, device_id, tank_id, entry_id, account_id, happened_at - interval '1 hour' FROM journal_entry;
        INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, read, unit)
            SELECT slot, 1, device_id, tank_id, test_id, at, 7.4, 7.4, 'pH' FROM hand_test;
        INSERT INTO water_work (slot, device_id, tank_id, work_id, account_id, kind, begins_at, until, asked)
            SELECT slot, device_id, tank_id, test_id, account_id, 'cleaning', at - interval '1 hour', at - interval '30 minutes', ''
            FROM hand_test;
        INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                looked_at, planned_at, next_at)
            SELECT slot, tank_id, device_id, lpad(to_hex(device_id), 32, '0')::uuid, 'pH', 'test', 'day', 1, '08:00', 'UTC', '2026-01-01',
                now(), now(), now(), now()
            FROM ownership;
        INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
            SELECT slot, tank_id, lpad(to_hex(device_id), 32, '0')::uuid, test_id, at, CASE n % 2 WHEN 0 THEN 'done' ELSE 'skipped' END,
                at - interval '2 hours', account_id
            FROM (SELECT *, row_number() OVER (PARTITION BY slot, tank_id ORDER BY at) AS n FROM hand_test) t;
        INSERT INTO tank_answers (slot, tank_id, version, device_id, account_id, litres)
            SELECT slot, tank_id, n, device_id, account_id, 180 FROM ownership, generate_series(1, 3) n;
        INSERT INTO inventory_item (slot, tank_id, item_id, account_id, list, name, count)
            SELECT slot, tank_id, gen_random_uuid(), account_id, 'livestock', 'Neon', 9 FROM ownership;
        INSERT INTO calibration (slot, tank_id, device_id, calibration_id, parameter, account_id, kind, at, unit, standards, befores, afters,
                millivolts)
            SELECT slot, tank_id, device_id, test_id, 1, account_id, 'calibrate', at - interval '3 hours', 'pH', '{7}', '{7.1}', '{7}', '{NULL}'
            FROM hand_test;
        INSERT INTO deletion (slot, tank_id, deletion_id, device_id, account_id, since, until, parameters, messages, readings, at)
            SELECT slot, tank_id, test_id, device_id, account_id, at - interval '1 hour', at, 2, 1, 1, at FROM hand_test;
        INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until, at)
            SELECT slot, tank_id, test_id, device_id, account_id, date_trunc('hour', at) - interval '1 hour', date_trunc('hour', at), at
            FROM hand_test;
        INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
            SELECT slot, 0, device_id, now() - interval '1 hour', now(), 7.5 FROM device;
        INSERT INTO account (kind, display_name) SELECT 'project', 'Farm ' || n FROM generate_series(2001, 4000) n;
        INSERT INTO project_member (project_id, account_id, role) SELECT n + 2000, n, 'owner' FROM generate_series(1, 2000) n;
        INSERT INTO project_invitation (project_id, place, token_hash, role, made_by, expires_at)
            SELECT n + 2000, 1, sha256(n::text::bytea), 'keeper', n, now() + interval '1 day' FROM generate_series(1, 2000) n;
        INSERT INTO enrolment (batch_id, account_id, made_by, made_in, kind, links, public_key, auth)
            SELECT lpad(to_hex(n * 100), 32, '0')::uuid, n, n, gen_random_uuid(), 'make', true, decode(repeat('04', 65), 'hex'),
                decode(repeat('01', 16), 'hex')
            FROM generate_series(1, 2000) n;
        INSERT INTO enrolment_device (batch_id, line, hardware_id, name)
            SELECT batch_id, n, 'new-' || n, 'Pond' FROM enrolment, generate_series(1, 3) n;
        INSERT INTO shift (project_id, place, name, days, begins_at, ends_at)
            SELECT n + 2000, 1, 'Day', 127, '00:00', '00:00' FROM generate_series(1, 2000) n;
        INSERT INTO shift_member SELECT project_id, shift_id, project_id - 2000 FROM shift;
        INSERT INTO shift_cover SELECT project_id, shift_id, (now() AT TIME ZONE 'UTC')::date + 9, account_id, account_id + 1 FROM shift_member;
        INSERT INTO own_preset (preset_id, account_id, name, limits)
            SELECT lpad(to_hex(n), 32, '0')::uuid, n, 'Winter', '{"0": {"unit": "C", "maximum": 240}}' FROM generate_series(1, 4000) n;
        INSERT INTO public_page (account_id, slot, tank_id, device_id, token_hash, sealed_token, title, parameters, days, limits)
            SELECT account_id, slot, tank_id, device_id, sha256(device_id::text::bytea), 'sealed', 'Pond', 2, 7, true FROM ownership;
        INSERT INTO public_page_tank (page_id, place, slot, tank_id) SELECT page_id, 1, slot, tank_id FROM public_page;
        INSERT INTO companion (slot, device_id, account_id, tank_id, second_slot, second_id, second_tank)
            SELECT o.slot, o.device_id, o.account_id, o.tank_id, s.slot, s.device_id, s.tank_id
            FROM ownership o JOIN ownership s ON s.device_id = o.device_id % 2000 + 1;
        INSERT INTO place (slot, tank_id, since, latitude, longitude)
            SELECT slot, tank_id, now() - n * interval '1 day', 48, n FROM ownership, generate_series(1, 3) n;
        INSERT INTO standing (slot, device_id, tank_id, site_slot, site_id, site_tank, since)
            SELECT slot, device_id, tank_id, second_slot, second_id, second_tank, now() FROM companion;
        INSERT INTO station_host (host) VALUES ('api.waterdata.usgs.gov');
        INSERT INTO station (slot, tank_id, device_id, account_id, kind, address, host)
            SELECT slot, tank_id, device_id, account_id, 'usgs', '01646500', 'api.waterdata.usgs.gov' FROM ownership WHERE role = 'owner';
        INSERT INTO site_plan (plan_id, account_id, place, name)
            SELECT lpad(to_hex(account_id * 100), 32, '0')::uuid, account_id, 1, 'Hall' FROM account;
        INSERT INTO plan_picture (plan_id, type, width, height, content) SELECT plan_id, 'image/png', 1, 1, '\\x01' FROM site_plan;
        INSERT INTO plan_place (plan_id, slot, tank_id, x, y)
            SELECT p.plan_id, o.slot, o.tank_id, 500, 500 FROM site_plan p JOIN ownership o ON o.account_id = p.account_id;
        INSERT INTO field_protocol (account_id, protocol_id, version, content)
            SELECT n, 'pond', v, '{}' FROM generate_series(1, 4000) n, generate_series(1, 2) v;
        INSERT INTO field_sample (slot, tank_id, sample_id, device_id, account_id, changed_by, version, state, begun_at, content)
            SELECT slot, tank_id, entry_id, device_id, account_id, account_id, 2, 'done', happened_at, '{}' FROM journal_entry;
        INSERT INTO field_sample_version (slot, tank_id, sample_id, version, account_id, state, content, written_at)
            SELECT slot, tank_id, sample_id, 1, account_id, 'begun', content, now() FROM field_sample;
        INSERT INTO sample_sending (slot, tank_id, project_id, sending_id, device_id, account_id)
            SELECT slot, tank_id, account_id % 2000 + 1, lpad(to_hex(account_id * 100), 32, '0')::uuid, device_id, account_id FROM ownership
            WHERE role = 'owner';
        INSERT INTO sample_reception SELECT n, 100 FROM generate_series(1, 2000) n;
        INSERT INTO received_sample (project_id, sample_id, version, sequence, state, slot, tank_id, device_id, account_id)
            SELECT account_id % 2000 + 1, sample_id, version, row_number() OVER (PARTITION BY account_id % 2000 ORDER BY sample_id), 'done', slot, tank_id,
                device_id, account_id FROM field_sample WHERE account_id <= 2000;
        INSERT INTO zone (zone_id, account_id, place, name, outline)
            SELECT lpad(to_hex(account_id * 100), 32, '0')::uuid, account_id, 1, 'River', '{48000000,16000000,48100000,16000000,48000000,16100000}'
            FROM account;
        UPDATE ownership SET latitude = 48, longitude = 16;
        INSERT INTO sample_day (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
            SELECT slot, device_id, date_trunc('day', now(), 'UTC') - n * interval '1 day', 75, 7.5, 7.5, 10 FROM device, generate_series(1, 5) n;
        INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
            SELECT slot, device_id, date_trunc('hour', now()) - n * interval '6 hours', 75, 7.5, 7.5, 10 FROM device, generate_series(1, 12) n;
        UPDATE rollup_progress SET hours_since = hours_since - interval '1 day', hours_until = hours_until - interval '1 day';
        RESET session_replication_role;
        ANALYZE;
        """

    private static let person = 5
    /// A day of pH in tank 5.
    private static let stretch =
        "5::smallint, 5, 5, 1::smallint, now() - interval '1 day', now() + interval '1 day'"
    /// Anywhere, of two windows: the values of `ReadChanges` in their order.
    private static let changes = """
        -90, 90, -180, 180, 10, now() - interval '3 days', now() - interval '2 days', now() - interval '1 day', now(),
        1::smallint, now() - interval '2 days', now() - interval '3 days', 1::smallint, now(), now() - interval '1 day'
        """
    private static let allSlots = "'{\((0..<64).map(String.init).joined(separator: ","))}'::smallint[]"

    private static let lastID = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"
    /// A note of the person's: the number of their tank, and 00.
    private static let entry = "'00000000-0000-0000-0000-0000000001f4'::uuid"
    /// A sample of the person before, of whom this one receives.
    private static let received = "'00000000-0000-0000-0000-000000000190'::uuid"

    private static let statements: [(name: String, sql: String, arguments: String, rows: Int)] = [
        ("ListEndpoints", ListEndpoints.sql, "5, NULL", 1),
        ("CheckEndpoints", CheckEndpoints.sql, "5, 'webhook', 'x'", 1),
        ("LockPersonEndpoint", LockPersonEndpoint.sql, "5, 5", 1),
        ("ReadEndpointForm", ReadEndpointForm.sql, "5, 5", 1),
        ("FindOwnPage", FindOwnPage.sql, "5, 'tank-5'", 1),
        ("FindPair of another's device", FindPair.sql, "5::smallint, 5", 0),
        ("FindStation", FindStation.sql, "5::smallint, 5", 1),
        ("ListPlaces", ListPlaces.sql, "5::smallint, 5, NULL, 51", 3),
        ("FindPlan", FindPlan.sql, entry, 1),
        ("ListPlanPlaces", ListPlanPlaces.sql, entry, 1),
        ("ReadPlanPicture", ReadPlanPicture.sql, entry, 1),
        ("FindZone", FindZone.sql, entry, 1),
        ("ExportZones", ExportZones.sql, "5", 1),
        ("LatestReadings", LatestReadings.sql, "'tank-5'", 1),
        ("ReadChanges of hours", ServiceStatements.changes(hours: 24).sql.text, changes, 1),
        ("ReadChanges of days", ServiceStatements.changes(hours: 72).sql.text, changes, 1),
        ("ExportPlans", ExportPlans.sql, "5", 1),
        ("FindExampleWatch", FindExampleWatch.sql, "5", 1),
        ("CountEndpointDeliveries", CountEndpointDeliveries.sql, "5, 5, now()", 1),
        ("ListUntakenAlerts", ListUntakenAlerts.sql, "5, 5, now()", 3),
        ("FindSendableAgain", FindSendableAgain.sql, "5, 5, now()", 1),
        (
            "PageAlerts", PageAlerts.sql,
            "5, 'infinity', 32767::smallint, 9223372036854775807, '-infinity', NULL, NULL, NULL, 51, 'infinity', NULL",
            10
        ),
        (
            "PageAlerts of a device", PageAlerts.sql,
            "5, 'infinity', 32767::smallint, 9223372036854775807, '-infinity', 'tank-5', 1::smallint, 'delivered', 51, "
                + "'infinity', NULL", 10
        ),
        ("ReadAlert", ReadAlert.sql, "5, '00000000-0000-0000-0000-000000000033'::uuid, \(allSlots)", 1),
        ("ReadNumberedAlert", ReadNumberedAlert.sql, "5, 5::smallint, 51", 0),
        ("ReadTransitions", ReadTransitions.sql, "5::smallint, 51", 1),
        ("ReadAttempts", ReadAttempts.sql, "5::smallint, 51", 1),
        ("FindWatchSubject", FindWatchSubject.sql, "'tank-5', 5, 1::smallint", 1),
        ("ListSettingVersions", ListSettingVersions.sql, stretch, 1),
        ("ListPastEpisodes", ListPastEpisodes.sql, stretch, 10),
        ("ListEpisodeChanges", ListEpisodeChanges.sql, "5::smallint, '{51,52}'", 2),
        ("ListPastAlerts", ListPastAlerts.sql, stretch, 10),
        ("ListPastSnoozes", ListPastSnoozes.sql, stretch, 1),
        ("ListPastGatherings", ListPastGatherings.sql, "5, now() - interval '1 day', now()", 0),
        ("ListPastCalls", ListPastCalls.sql, stretch, 0),
        ("ReadQuietHours", ReadQuietHours.sql, "5", 1),
        ("ReadSummary", ReadSummary.sql, "5", 1),
        ("ReadLocalTimes", ReadLocalTimes.sql, "5, ARRAY[now()]", 1),
        ("ListPersonProbes", ListPersonProbes.sql, "5::smallint, 5", 2),
        ("FindPersonLife", FindPersonLife.sql, "5::smallint, 5", 1),
        ("FindPersonLives", FindPersonLives.sql, "ARRAY[5]::smallint[], ARRAY[5]", 1),
        ("ListPersonVersions", ListPersonVersions.sql, "500", 1),
        ("ListPersonLifeChanges", ListPersonLifeChanges.sql, "5::smallint, 5", 5),
        ("ListPersonRejects", ListPersonRejects.sql, "5::smallint, 5, 100", 1),
        ("PageJournal", PageJournal.sql, "NULL, 5, 'infinity', \(lastID), '{}', 11, false", 11),
        (
            "PageJournal of a device", PageJournal.sql,
            "'tank-5', 5, now() - interval '9 days', \(lastID), '{note}', 11, true", 1
        ),
        (
            "PageJournal of what is no entry", PageJournal.sql,
            "NULL, 5, now() - interval '9 days', \(lastID), '{tested,worked,done}', 11, false", 11
        ),
        (
            "PageJournal of reminders done", PageJournal.sql,
            "'tank-5', NULL, 'infinity', \(lastID), '{done}', 50, false", 20
        ),
        ("ReadNextDue", ReadNextDue.sql, "5::smallint, 5, 'test'", 1),
        ("FindTank", FindTank.sql, "5::smallint, 'tank-5'", 1),
        ("FindJournalEntry", FindJournalEntry.sql, "5::smallint, 5, \(entry)", 1),
        ("FindPhoto", FindPhoto.sql, "5::smallint, 5, \(entry), \(entry)", 1),
        ("ReadPhoto", ReadPhoto.sql, "5::smallint, 5, \(entry), \(entry), true", 1),
        ("FindFieldSample", FindFieldSample.sql, "\(entry), NULL", 1),
        ("FindFieldSample of a former version", FindFieldSample.sql, "\(entry), 1", 1),
        ("PageFieldSamples", PageFieldSamples.sql, "NULL, 'infinity', \(lastID), 11, false, true", 11),
        ("PageFieldSamples of a device", PageFieldSamples.sql, "'tank-5', 'infinity', \(lastID), 50, true, false", 40),
        ("ListFieldVersions", ListFieldVersions.sql, entry, 2),
        ("ListFieldProtocols", ListFieldProtocols.sql, "5::smallint, 5", 1),
        ("ListReceivers", ListReceivers.sql, "5::smallint, 5", 1),
        ("ListSenders", ListSenders.sql, "", 1),
        ("ExportReceivers", ExportReceivers.sql, "'00000000-0000-0000-0000-000000000000', 10", 1),
        ("PageReceivedSamples", PageReceivedSamples.sql, "0, 11, false, true, NULL", 11),
        ("PageReceivedSamples of what is there", PageReceivedSamples.sql, "0, 11, true, false, NULL", 11),
        ("PageNewestReceived", PageNewestReceived.sql, "9223372036854775807, 11", 11),
        ("ListDevicePoints", ListDevicePoints.sql, "'{5}', '{5}'", 1),
        ("FindFieldProtocol", FindFieldProtocol.sql, "5::smallint, 5, 'pond', NULL", 1),
        ("ListInventory", ListInventory.sql, "5::smallint, 5, NULL", 1),
        ("ListCalibrations", ListCalibrations.sql, "5::smallint, 5, 1::smallint, 500", 40),
        ("FindCalibratedParameters", FindCalibratedParameters.sql, "5::smallint, 5", 1),
        ("FindCalibration", FindCalibration.sql, "5::smallint, 5, \(entry)", 1),
        ("ListHandChecks", ListHandChecks.sql, "5::smallint, 5, 1::smallint, 50", 1),
        (
            "PageDeletions", PageDeletions.sql,
            "5::smallint, 5, 'infinity', '00000000-0000-0000-0000-000000000000'::uuid, 11, '-infinity', 'infinity'", 11
        ),
        (
            "PageApprovals", PageApprovals.sql,
            "5::smallint, 5, 'infinity', '00000000-0000-0000-0000-000000000000'::uuid, 11, '-infinity', 'infinity'", 11
        ),
        ("FindApproval", FindApproval.sql, "5::smallint, 5, \(entry)", 1),
        ("ReadTankAnswers", ReadTankAnswers.sql, "5::smallint, 5", 1),
        ("FindProject", FindProject.sql, "2005", 1),
        ("ReadRota", ReadRota.sql, "2005", 1),
        ("ListShifts", ListShifts.sql, "2005", 1),
        ("ListOwnPresets", ListOwnPresets.sql, "'00000000-0000-0000-0000-000000000005'::uuid, 250", 1),
        // Of their project.
        ("ListOwnPresets of a project", ListOwnPresets.sql, "'00000000-0000-0000-0000-0000000007d5'::uuid, 250", 1),
        ("FindPersonDevices", FindPersonDevices.sql, "ARRAY['tank-5']", 1),
        ("ListTurns", ListTurns.sql, "2005", 8),
        ("ListMembers", ListMembers.sql, "2005", 1),
        ("ListProjectInvitations", ListProjectInvitations.sql, "2005", 1),
        ("FindEnrolment", FindEnrolment.sql, entry, 1),
        ("ListEnrolledDevices", ListEnrolledDevices.sql, entry, 3),
        ("ListLocations", ListLocations.sql, "'', 'tank-5', '{}', 'device', 'infinity', 101", 1),
        ("ListObservations", ListObservations.sql, "'', 'tank-5', '{}', -1, false, '-infinity', 'infinity', 101", 2),
        (
            "ListHandSamples", ListHandSamples.sql,
            "'', 'tank-5', '{}', 'infinity', \(lastID), '-infinity', 'infinity', 101", 40
        ),
        ("FindSample", FindSample.sql, entry, 1),
        ("FindReceivedSample", FindReceivedSample.sql, received, 1),
        ("LockOwnSettings", LockOwnSettings.sql, "5, 1::smallint", 1),
    ]

    /// Statements that name nothing, and tell whoever asks of their own.
    private static let ofWhoeverAsks: Set = [
        "ListPersonVersions", "ReadChanges of hours", "ReadChanges of days", "PageFieldSamples", "ListSenders",
        "ExportReceivers", "PageReceivedSamples", "PageReceivedSamples of what is there", "PageNewestReceived",
    ]

    /// Runs SQL as the Gateway for a person; nil: for nobody, who sees no rows.
    private func run(_ sql: String, as account: Int?, _ fixture: SchemaFixture) async throws -> String {
        let name = account.map { "DO $$ BEGIN PERFORM name_person(\($0)); END $$;\n" } ?? ""
        return try await fixture.database.sql("BEGIN;\n\(name)\(sql)\nROLLBACK;", as: .gateway)
    }

    @Test func whatAPersonAsksIsFoundByAnIndexAndIsTheirsAlone() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.rows)
            try await fixture.database.sql("GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway")
            for (name, sql, arguments, rows) in Self.statements {
                let given = arguments.isEmpty ? "" : "(\(arguments))"
                let plan = try await run(
                    "PREPARE hot AS \(sql);\nEXPLAIN EXECUTE hot\(given);", as: Self.person, fixture)
                for line in plan.split(separator: "\n") where line.contains("Seq Scan on") {
                    Issue.record("\(name) scans a table:\n\(plan)")
                }
                let execute = "PREPARE hot AS \(sql);\nEXECUTE hot\(given);"
                let own = try await run(execute, as: Self.person, fixture)
                #expect(own.split(separator: "\n").count == rows, "\(name): \(own)")
                for stranger in [6, nil] {
                    let foreign = try await run(execute, as: stranger, fixture)
                    if Self.ofWhoeverAsks.contains(name), stranger != nil { continue }
                    let isCount = name == "CheckEndpoints"
                    #expect(
                        isCount ? foreign.hasPrefix("0") : foreign.isEmpty, "\(name) shows another's: \(foreign)")
                }
            }
        }
    }
}
