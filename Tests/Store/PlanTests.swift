import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Gateway
@testable import Ingestor
@testable import Notifier
@testable import RulesEngine
@testable import Store

/// The statements of every batch, claim and lease find their rows by an index, however large the tables.
@Suite struct PlanTests {
    /// Thousands of rows in every table, few of them active, as in a system that keeps up.
    static let rows = """
        INSERT INTO account (email, password_hash)
            SELECT 'a' || n || '@example.org', 'scrypt$test' FROM generate_series(1, 3000) n;
        INSERT INTO device (slot, hardware_id, claim_code_hash)
            SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 6000) n;
        SET session_replication_role = replica;
        ALTER TABLE ownership DISABLE TRIGGER USER;
        ALTER TABLE setting DISABLE TRIGGER USER;
        INSERT INTO ownership (slot, device_id, account_id, name, tank_id)
            SELECT slot, device_id, device_id % 3000 + 1, 'Pond', device_id FROM device;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position)
            SELECT slot, device_id, account_id, p, 1, 'ppm', 50, 'red', p FROM ownership, generate_series(0, 8) p;
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            SELECT n, n % 3000 + 1, 'webhook', 'https://example.org/' || n, '' FROM generate_series(1, 4000) n;
        INSERT INTO endpoint_retirement SELECT n % 64, n, 1, now(), 'test' FROM generate_series(1, 2000) n;
        -- Each day that has a table gets rows: the schema may have been made before midnight.
        INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
            SELECT slot, 0, device_id, to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC'
                + interval '12 hours', now(), 7
            FROM device, pg_inherits WHERE inhparent = 'sample'::regclass AND device_id % 4 = 0;
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at,
                closed_at, closed_because, worst)
            SELECT slot, device_id, 1, account_id, device_id * 2 + o, 'range', 'high', now(), now(),
                CASE WHEN o = 0 OR device_id % 20 > 0 THEN now() END,
                CASE WHEN o = 0 OR device_id % 20 > 0 THEN 'recovered' END, 9
            FROM ownership, generate_series(0, 1) o;
        INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                event_time, state)
            SELECT slot, device_id, 1, account_id, episode_id, episode_id, 'range', 'alarm', 'high', now(), now(),
                CASE WHEN episode_id % 1000 = 0 THEN 'decided' ELSE 'delivered' END
            FROM episode;
        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, account_id,
                CASE WHEN alert_id % 1000 = 1 THEN 'pending' ELSE 'accepted' END,
                now(), CASE WHEN alert_id % 1000 = 1 THEN NULL ELSE now() END
            FROM alert;
        INSERT INTO delivery_attempt (slot, alert_id, endpoint_id, attempt, started_at, duration_us, outcome, detail)
            SELECT slot, alert_id, endpoint_id, 1, now(), 1, 'accepted', '' FROM delivery;
        INSERT INTO transition (slot, episode_id, event_time, reason, notification)
            SELECT slot, episode_id, now(), 'opened', 'alerted' FROM episode;
        INSERT INTO device_invitation (slot, place, device_id, account_id, token_hash, expires_at)
            SELECT slot, 1, device_id, account_id, sha256(device_id::text::bytea), now() + interval '1 day' FROM ownership;
        INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
            SELECT slot, device_id, 1, account_id, 'range', now(), device_id * 2 FROM ownership;
        INSERT INTO quiet_hours SELECT account_id, '22:30', '07:00', 127, true FROM account;
        INSERT INTO shift_turn SELECT 1, account_id, now() + account_id * interval '1 minute' FROM account;
        INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
            SELECT slot, device_id, account_id, 1, 10, account_id FROM ownership;
        INSERT INTO escalation (slot, device_id, parameter, account_id, kind, side, next_at, ended_at)
            SELECT slot, device_id, 1, account_id, 'range', 'high', now() + n * interval '1 s', CASE WHEN n > 0 THEN now() END
            FROM ownership, generate_series(0, 1) n WHERE n > 0 OR device_id % 100 = 0;
        INSERT INTO escalation_call (slot, escalation_id, after_minutes, account_id, outcome)
            SELECT slot, escalation_id, 10, account_id, 'told' FROM escalation;
        INSERT INTO gathering SELECT account_id, now() - n * interval '1 day', 'quietHours', now(), CASE WHEN n > 0 THEN now() END
            FROM account, generate_series(0, 3) n WHERE n > 0 OR account_id % 100 = 0;
        INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
            SELECT slot, device_id, 1, account_id, 'range', 'high', now() + interval '1 hour' FROM ownership;
        INSERT INTO evaluation_batch (slot, messages, received_at, readings)
            SELECT n % 64, 1, now(), '\\x01' FROM generate_series(1, 6000) n;
        INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
            SELECT slot, device_id, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 7, 7, 7, 1
            FROM device, generate_series(0, 4) h;
        INSERT INTO sample_day (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
            SELECT slot, device_id, date_trunc('day', now(), 'UTC') - d * interval '24 hours', 7, 7, 7, 1
            FROM device, generate_series(0, 4) d;
        INSERT INTO time_outside (slot, device_id, account_id, parameter, day, seconds)
            SELECT slot, device_id, account_id, 1, date_trunc('day', now(), 'UTC') - d * interval '24 hours',
                array_fill(60::smallint, ARRAY[24])
            FROM ownership, generate_series(0, 4) d;
        INSERT INTO rollup_due SELECT slot, device_id, date_trunc('hour', now(), 'UTC') - interval '5 hours' FROM device;
        INSERT INTO quality_due SELECT slot, device_id, date_trunc('day', now(), 'UTC') FROM device;
        INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 32400 FROM device;
        INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM device;
        INSERT INTO reported_probe SELECT slot, device_id, 'AA0' || n, 20, now() FROM device, generate_series(1, 2) n;
        INSERT INTO track SELECT slot, device_id, now() - n * interval '1 minute', 4800000, 1600000, 5 FROM device, generate_series(1, 3) n;
        INSERT INTO device_life (slot, device_id, family, battery, battery_at, noted_at)
            SELECT slot, device_id, 'native', 80, now(), now() FROM device;
        INSERT INTO device_life_day (slot, device_id, day, noted_at)
            SELECT slot, device_id, (now() AT TIME ZONE 'UTC')::date - d, now() FROM device, generate_series(0, 9) d;
        INSERT INTO silence_check (slot, device_id) SELECT slot, device_id FROM device;
        INSERT INTO device_status SELECT slot, device_id, true, now() FROM device;
        INSERT INTO probe_fault (slot, device_id, parameter, since, last_at, received_at)
            SELECT slot, device_id, 1, now(), now(), now() FROM device;
        INSERT INTO flat_line (slot, device_id, parameter, since, until, value)
            SELECT slot, device_id, 1, now(), now(), 7 FROM device;
        INSERT INTO companion (slot, device_id, account_id, tank_id, second_slot, second_id, second_tank, due_at)
            SELECT o.slot, o.device_id, o.account_id, o.tank_id, s.slot, s.device_id, s.tank_id, now() + o.device_id * interval '1 s'
            FROM ownership o JOIN ownership s ON s.device_id = o.device_id % 6000 + 1;
        INSERT INTO station_host (host) SELECT 'host-' || n FROM generate_series(0, 49) n;
        INSERT INTO station (slot, tank_id, device_id, account_id, kind, address, host, due_at, asked_at)
            SELECT slot, tank_id, device_id, account_id, 'usgs', '01646500', 'host-' || device_id % 50, now() + device_id * interval '1 s',
                now() - interval '1 hour' - device_id * interval '1 s'
            FROM ownership;
        INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until)
            SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, '2026-05-01Z', '2026-05-02Z' FROM ownership;
        INSERT INTO session (account_id, client, address) SELECT account_id, 'test', '' FROM account, generate_series(1, 2);
        INSERT INTO refresh_token (token_hash, session_id, account_id)
            SELECT sha256(session_id::text::bytea), session_id, account_id FROM session;
        INSERT INTO personal_token (account_id, token_hash, name, scope, last_four)
            SELECT account_id, sha256(account_id::text::bytea), 'test', 'read', 'abcd' FROM account;
        INSERT INTO account_identity (account_id, issuer, subject)
            SELECT account_id, 'https://id.example', account_id::text FROM account;
        INSERT INTO idempotency_key (account_id, key, fingerprint)
            SELECT account_id, n, sha256('') FROM account, generate_series(1, 2) n;
        INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, asked, account_id)
            SELECT gen_random_uuid(), slot, device_id, device_id, 'feeding', now() - n * interval '1 day',
                now() - n * interval '1 day' + interval '15 min', '', account_id
            FROM ownership, generate_series(1, 2) n;
        RESET session_replication_role;
        ANALYZE;
        """

    /// Tables whose size does not grow.
    private static let small: Set = [
        "canary", "clock_watch", "ingest_seat", "notifier", "pg_database", "rollup_progress", "slot", "slot_rules",
        "station_host",
    ]

    /// Those, and the months to come, which hold nothing yet: at the end of a month a day reaches into the next.
    private static func bounded(in fixture: SchemaFixture) async throws -> Set<String> {
        let empty = try await fixture.database.sql(
            """
            SELECT c.relname FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
            WHERE c.reltuples = 0 AND EXISTS (
                SELECT FROM pg_inherits s JOIN pg_class f ON f.oid = s.inhrelid
                WHERE s.inhparent = i.inhparent AND f.reltuples > 0)
            """)
        return small.union(empty.split(separator: "\n").map(String.init))
    }

    static let devices = "ARRAY[1, 2, 3]::smallint[], ARRAY[1, 2, 3]::integer[]"
    private static let times = "ARRAY[now(), now(), now()]"
    private static let hour = "date_trunc('hour', now(), 'UTC') - interval '5 hours'"
    private static let stretch = "4::smallint, 4, now() - interval '30 days', now(), 3600000000, 1::smallint"
    static let slots = "ARRAY[1, 2, 3]::smallint[]"
    static let floors = "ARRAY[5, 0, 700]::bigint[]"
    /// Arguments for watches, each with a time.
    static let watches = "\(devices), ARRAY[0, 1, 2]::smallint[], ARRAY[1, 2, 3]::bigint[], \(times)"

    private static func forEachParameter(_ value: String) -> String {
        repeatElement(value, count: Parameter.allCases.count).joined(separator: ", ")
    }

    private static let samples = """
        ARRAY[1]::smallint[], ARRAY[0]::smallint[], ARRAY[1]::integer[], ARRAY[now()], ARRAY[now()],
        \(forEachParameter("ARRAY[1]::real[]"))
        """

    @Test func hotStatementsScanNoTableThatGrows() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.rows)
            let bounded = try await Self.bounded(in: fixture)
            let statements: [(name: String, sql: String, arguments: String)] = [
                ("ClaimSlots", ClaimSlots.sql, "\(Self.slots), ARRAY[1, NULL, 3]::bigint[]"),
                ("TakeBatches", TakeBatches.sql, "\(Self.slots), \(Self.floors), 4"),
                ("FindWaitingBatches", FindWaitingBatches.sql, "\(Self.slots), \(Self.floors)"),
                ("MeasureBacklog", MeasureBacklog.sql, "\(Self.slots), \(Self.floors), 16"),
                ("LoadDeviceClocks", LoadDeviceClocks.sql, Self.devices),
                (
                    "RecordDeviceClocks", RecordDeviceClocks.sql,
                    "\(Self.devices), ARRAY[1, NULL, 3]::integer[], ARRAY[true, false, false]"
                ),
                ("ForgetDeviceClocks", ForgetDeviceClocks.sql, Self.devices),
                ("HastenRecoveries", HastenRecoveries.sql, "660000000"),
                ("InsertNewSamples", InsertNewSamples.sql, Self.samples),
                ("FindStoredSamples", FindStoredSamples.sql, Self.samples),
                (
                    "ReadHistory", ReadHistory.sql,
                    "4::smallint, 4, 1::smallint, now() - interval '12 hours', now(), 10000"
                ),
                ("AddUpSamples", AddUpSamples.sql, Self.stretch), ("AddUpHours", AddUpHours.sql, Self.stretch),
                ("AddUpDays", AddUpDays.sql, Self.stretch),
                ("FindDueHours", FindDueHours.sql, "4::smallint, 4, now() - interval '30 days', now()"),
                ("RollUpHour", RollUpHour.sql, "4::smallint, \(Self.hour), '{}'"),
                ("RollUpHour of some", RollUpHour.sql, "4::smallint, \(Self.hour), '{4,68}'"),
                (
                    "FindLimitsInQuestion", FindLimitsInQuestion.sql,
                    "4::smallint, \(Self.hour), '{}', ARRAY\(Parameter.allCases.map(\.stepsPerUnit)), date_trunc('day', now(), 'UTC'), 3"
                ),
                (
                    "FindLimitsInQuestion of some", FindLimitsInQuestion.sql,
                    "4::smallint, \(Self.hour), '{4,68}', ARRAY\(Parameter.allCases.map(\.stepsPerUnit)), date_trunc('day', now(), 'UTC'), 3"
                ),
                (
                    "ReadHourWithBefore", ReadHourWithBefore.sql,
                    "4::smallint, 4, 2, \(Self.hour), 604800000000, 250, 18000"
                ),
                (
                    "WriteTimeOutside", WriteTimeOutside.sql,
                    "4::smallint, date_trunc('day', now(), 'UTC'), 3, '{}', '{4}', '{4}', '{1}', '{60}'"
                ),
                ("RollUpDay", RollUpDay.sql, "4::smallint, date_trunc('day', now(), 'UTC'), '{}'"),
                ("ClaimDueHour", ClaimDueHour.sql, ""),
                ("TakeDueDevices", TakeDueDevices.sql, "4::smallint, \(Self.hour)"),
                (
                    "MarkDaysDue", MarkDaysDue.sql,
                    "4::smallint, '{}', ARRAY[date_trunc('day', now(), 'UTC')], 136800000000"
                ),
                ("ClaimDueDays", ClaimDueDays.sql, "64, 50400000000"),
                ("EndDueDay", EndDueDay.sql, "4::smallint, 4, \(Self.hour)"),
                ("PostponeDueDay", PostponeDueDay.sql, "4::smallint, 4, \(Self.hour)"),
                ("FindOwnerChanges", FindOwnerChanges.sql, "4::smallint, 4, \(Self.hour), now()"),
                ("ReadWindowHours", ReadWindowHours.sql, "4::smallint, 4, \(Self.hour), now()"),
                (
                    "ReadWindowSamples", ReadWindowSamples.sql,
                    "4::smallint, 4, \(Self.hour), now(), 3, \(Self.hour), 100"
                ),
                (
                    "WriteHourFlags", WriteHourFlags.sql,
                    "4::smallint, 4, ARRAY[\(Self.hour)], 3, \(Self.hour), \(Self.forEachParameter("ARRAY[9]::integer[]"))"
                ),
                (
                    "WriteDayFlags", WriteDayFlags.sql,
                    "4::smallint, 4, ARRAY[\(Self.hour)], 3, \(Self.hour), \(Self.forEachParameter("ARRAY[9]::integer[]"))"
                ),
                ("ReadSinceOfDisplays", ReadSinceOfDisplays.sql, "\(Self.devices), \(Self.times)"),
                ("FindDevices", FindDevices.sql, "ARRAY['tank-1', 'tank-2'], 'device'"),
                ("TakeStation", TakeStation.sql, "2000000"), ("PauseHost", PauseHost.sql, "'host-1', 900000000"),
                ("ReviseSamples", ReviseSamples.sql, Self.samples),
                ("RecordStationFault", RecordStationFault.sql, "4::smallint, 4, now(), 'busy', 900000000"),
                ("FindChoices", FindChoices.sql, "80000000"),
                (
                    "KeepTrack", KeepTrack.sql,
                    "\(Self.devices), \(Self.times), ARRAY[1, 2, 3], ARRAY[1, 2, 3], ARRAY[1, NULL, 3]::smallint[]"
                ),
                ("FindChangedDevices", FindChangedDevices.sql, "ARRAY[1]::smallint[], ARRAY[5]::bigint[]"),
                ("LoadRules", LoadRules.sql, Self.devices),
                ("FindNewestEvaluated", FindNewestEvaluated.sql, "\(Self.devices), \(Self.times)"),
                ("FindWatermarks", FindWatermarks.sql, "\(Self.devices), \(Self.times), \(Self.times)"),
                ("FindLastValues", FindLastValues.sql, "\(Self.devices), \(Self.times), \(Self.times)"),
                (
                    "FindRecentValues", FindRecentValues.sql,
                    "\(Self.devices), ARRAY[1, 1, 1]::smallint[], \(Self.times), \(Self.times), \(Self.times)"
                ),
                ("LoadRecentEpisodes", LoadRecentEpisodes.sql, Self.watches),
                ("TakeFlatLineLook", TakeFlatLineLook.sql, ""),
                ("TakeSilenceChecks", TakeSilenceChecks.sql, "200, 300000000, 100000000"),
                ("ReadSilentLives", ReadSilentLives.sql, Self.devices),
                ("FindSites", FindSites.sql, Self.devices),
                ("ReadHeard", ReadHeard.sql, "\(Self.devices), 300000000, 100000000"),
                ("ReadSiteReturns", ReadSiteReturns.sql, "\(Self.slots), ARRAY[1, 2, 3]::bigint[]"),
                (
                    "ReadParameterPauses", ReadParameterPauses.sql,
                    "\(Self.devices), ARRAY[1, 1, 1]::smallint[], \(Self.times), 100000000"
                ),
                ("LoadFlatLines", LoadFlatLines.sql, Self.devices),
                (
                    "WriteFlatLines", WriteFlatLines.sql,
                    "\(Self.devices), ARRAY[1, 1, 1]::smallint[], ARRAY[now(), NULL, now()]::timestamptz[], \(Self.times), "
                        + "ARRAY[7, 7, 7]::real[]"
                ),
                ("ListDevicesToLookAt", ListDevicesToLookAt.sql, "4::smallint, 100, 100"),
                (
                    "FindUnchanged", FindUnchanged.sql,
                    "4::smallint, '{4,68}', \(Self.hour) - interval '12 hours', \(Self.hour)"
                ),
                (
                    "ReadFlatLineHours", ReadFlatLineHours.sql,
                    "\(Self.devices), ARRAY[1, 1, 1]::smallint[], \(Self.hour) - interval '14 days', \(Self.hour)"
                ),
                ("FindOldestBatches", FindOldestBatches.sql, Self.slots),
                ("LoadOpenEpisodes", LoadOpenEpisodes.sql, "\(Self.devices), '{range,rate}'"),
                ("LoadThrottles", LoadThrottles.sql, "\(Self.devices), '{range,low,high}'"),
                ("LoadSnoozes", LoadSnoozes.sql, "\(Self.devices), '{range}'"),
                ("LoadPeople", LoadPeople.sql, Self.devices),
                ("TakeCompanions", TakeCompanions.sql, "20"),
                ("ReadCompared", ReadCompared.sql, "\(Self.devices), 28800000000"),
                ("FindLoneDifferences", FindLoneDifferences.sql, "20"),
                ("LoadPairPeople", LoadPairPeople.sql, Self.devices),
                (
                    "CancelRecoveries", CancelRecoveries.sql,
                    "\(Self.devices), ARRAY[1, 1, NULL]::smallint[], ARRAY[1, 1, 1]::bigint[], '{range,rate,silence}'"
                ),
                ("FindRecipients", FindRecipients.sql, "ARRAY[1, 2]::bigint[], 10"),
                ("FindDueGatherings", FindDueGatherings.sql, "100"),
                ("LockGatheredSlots", LockGatheredSlots.sql, "ARRAY[1, 2]::bigint[]"),
                ("ListGathered", ListGathered.sql, "ARRAY[1, 2]::bigint[], 1000, 900"),
                ("LockTurnSlots", LockTurnSlots.sql, "ARRAY[1, 2]::bigint[], ARRAY[7, 7]::bigint[]"),
                ("ListOpenOfTurns", ListOpenOfTurns.sql, "ARRAY[1, 2]::bigint[], ARRAY[7, 7]::bigint[], 1000, 900"),
                ("PutOffGatherings", PutOffGatherings.sql, "ARRAY[1, 2]::bigint[]"),
                ("EndGatherings", EndGatherings.sql, "ARRAY[1, 2]::bigint[]"),
                ("LockDueSlots", LockDueSlots.sql, "50"),
                ("TakeDueEscalations", TakeDueEscalations.sql, "50, ARRAY[1, 2]::smallint[]"),
                ("TakeDueRecoveries", TakeDueRecoveries.sql, "10, array_fill(0::bigint, ARRAY[64])"),
                ("FindTrueAlerts", FindTrueAlerts.sql, "\(Self.slots), ARRAY[1, 2, 3]::bigint[]"),
                (
                    "LeaseDeliveries", LeaseDeliveries.sql,
                    "'{\((0..<64).map(String.init).joined(separator: ","))}', 100, 1800000000, 60000000, 1"
                ),
                (
                    "LeaseInTurn", LeaseInTurn.sql,
                    "'{\((0..<64).map(String.init).joined(separator: ","))}', 8, 1800000000, 60000000, 1, 3, '{5,6}', '{7}'"
                ),
                ("EndOrphanedLeases", EndOrphanedLeases.sql, "3000000, \(Self.slots)"),
                ("RecallDeliveries", RecallDeliveries.sql, "660000000, \(Self.slots)"),
                (
                    "ReleaseDeliveries", ReleaseDeliveries.sql,
                    "\(Self.slots), ARRAY[1]::bigint[], ARRAY[1]::bigint[], ARRAY[1]::smallint[], ARRAY[1]::integer[], "
                        + "ARRAY[0]::bigint[]"
                ),
                ("ListSessions", ListSessions.sql, "7"), ("ListPersonalTokens", ListPersonalTokens.sql, "7"),
                ("ClaimIdempotencyKey", ClaimIdempotencyKey.sql, "7, 'k', sha256('')"),
                ("ReadAccount", ReadAccount.sql, "7"), ("ReadTimeZone", ReadTimeZone.sql, "7"),
                ("ListOwnedDevices", ListOwnedDevices.sql, "7"),
                ("JudgeAlerts", JudgeAlerts.sql, "\(Self.slots), ARRAY[1, 2, 3]::bigint[]"),
            ]
            for statement in statements {
                let arguments = statement.arguments.isEmpty ? "" : "(\(statement.arguments))"
                // The server plans for the given values at first; after five runs it may switch to a generic plan.
                let plans = try await fixture.database.sql(
                    "PREPARE hot AS \(statement.sql);\n"
                        + String(repeating: "EXPLAIN EXECUTE hot\(arguments);\n", count: 7), as: .owner)
                let scanned = Set(plans.matches(of: /Seq Scan on (\w+)/).map { String($0.1) })
                #expect(scanned.subtracting(bounded) == [], "\(statement.name):\n\(plans)")
            }
        }
    }

    /// Plans of the Gateway's statements, including the tables that row-level policies look up.
    @Test func whatIsAskedForAPersonScansNoTableThatGrows() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.rows)
            let bounded = try await Self.bounded(in: fixture)
            try await fixture.database.sql("GRANT EXECUTE ON FUNCTION name_person(bigint) TO aqua_gateway")
            let statements: [(name: String, sql: String, arguments: String)] = [
                ("ListSessions", ListSessions.sql, "7"), ("ReadAccount", ReadAccount.sql, "7"),
                ("ListIdentities", ListIdentities.sql, "7"),
                ("ExportReadings", ExportReadings.sql, "4::smallint, 4, now() - interval '2 days', 100"),
                ("ExportHours", ExportHours.sql, "4::smallint, 4, now() - interval '2 days', 100, 50400000000"),
                (
                    "FindPersonDueHours", FindPersonDueHours.sql,
                    "4::smallint, 4, now() - interval '30 days', now()"
                ),
                (
                    "FindPersonDueDays", FindPersonDueDays.sql,
                    "4::smallint, 4, now() - interval '30 days', now()"
                ),
                ("ExportAlerts", ExportAlerts.sql, "5, now(), 1::smallint, 1, ARRAY['a'], 100"),
                ("ExportAccount", ExportAccount.sql, "7, ARRAY['a'], ARRAY['b'], ARRAY[1]"),
                ("ExportDevices", ExportDevices.sql, "7, 0, 100, ARRAY['a']"),
                (
                    "ExportSettings", ExportSettings.sql,
                    "7, 5, 0::smallint, 0, 100, ARRAY['a'], ARRAY['b'], ARRAY[1]"
                ),
                ("ListTrack", ListTrack.sql, "4::smallint, 4, now() - interval '1 day', now()"),
                ("ListTrackReadings", ListTrackReadings.sql, "4::smallint, 4, now() - interval '1 day', now()"),
                ("HasTrack", HasTrack.sql, "4::smallint, 4, now() - interval '1 day', now()"),
                ("ReadTrack", ReadTrack.sql, "4::smallint, 4, now() - interval '1 day', now(), 1::smallint, 100"),
                ("ExportPositions", ExportPositions.sql, "4::smallint, 4, now() - interval '1 day', 100"),
                ("ExportEpisodes", ExportEpisodes.sql, "4::smallint, 4, 5, now(), 1, ARRAY['a'], 100"),
                ("CountEndpoints", CountEndpoints.sql, "7"),
                ("ReadDeliveries", ReadDeliveries.sql, "4::smallint, 8"),
            ]
            for statement in statements {
                let plan = try await fixture.database.sql(
                    """
                    BEGIN;
                    DO $$ BEGIN PERFORM name_person(5); END $$;
                    PREPARE hot AS \(statement.sql);
                    EXPLAIN EXECUTE hot(\(statement.arguments));
                    COMMIT;
                    """, as: .gateway)
                let scanned = Set(plan.matches(of: /Seq Scan on (\w+)/).map { String($0.1) })
                #expect(scanned.subtracting(bounded) == [], "\(statement.name):\n\(plan)")
                // A page that ends early must not sort the rest first.
                if statement.name.hasPrefix("ExportReadings") { #expect(!plan.contains("Sort"), "\(plan)") }
            }
        }
    }
}
