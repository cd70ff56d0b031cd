import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

/// What each service may do, and what it may not.
@Suite struct RightsTests {
    private static let device = DeviceKey(slot: Slot.all[1], device: Device.ID(rawValue: 1))

    private static let floors = Slot.all.map { SlotFloor($0, floor: 0) }

    /// Each statement of each service. Rights are checked before the first row, so nothing need be there.
    private static let statements: [(TestDatabase.Role, [any Statement])] = [
        (
            .ingestor,
            [
                InsertNewSamples([]), FindStoredSamples([]), AddEvaluationBatches([]), MakePartitions(),
                RecordRejects([]), RecordStatuses([]), FindDevices(["tank-1"]), ListSeats(), TakeSeat(1),
                RecordSeat(1, sessionOpen: true), LeaveSeat(1), MarkHoursDue([]), ClaimNextHour(), ClaimDueHour(),
                MeasureUpkeep(), DropOldestPartition(of: .samples, keep: .seconds(9 * 86_400)),
                DropOldestPartition(of: .hours, keep: .seconds(9 * 86_400)),
                DeleteOldAlerts(keep: .seconds(9 * 86_400), limit: 1),
            ]
        ),
        (
            .rules,
            [
                ClaimSlots(Slot.all.map { ($0, nil) }), TakeBatches(floors, limitPerSlot: 1),
                FindWaitingBatches(floors), FindNewestBatch(), MeasureBacklog(floors), LoadDeviceClocks([device]),
                RecordDeviceClocks([]), ForgetDeviceClocks([]), MeasureDeviceClocks(),
                HastenRecoveries(latest: .seconds(660)),
                CountDecisions(Slot.all), ReadClock(), FindChangedDevices(known: [(Slot.all[0], 0)]),
                LoadRules([device]),
                FindNewestEvaluated([]), FindWatermarks([]), FindOldestBatches(Slot.all), LoadOpenEpisodes([device]),
                LoadThrottles([device]),
                FindRecipients([Account.ID(rawValue: 1)]), ReserveNumbers(episodes: 1, alerts: 1), WriteEpisodes([]),
                CancelRecoveries([]), AddTransitions([]), AddAlerts([]), ReplaceAlertTexts([]), ChargeThrottles([]),
                TakeDueRecoveries(limit: 1), SettleRecoveries([]),
            ]
        ),
        (
            .notifier,
            [
                BecomeLeaseHolder(), ReturnAsLeaseHolder(LeaseHolder(rawValue: 1)),
                EndOrphanedLeases(absence: .seconds(3), slots: Slot.all),
                LeaseDeliveries(
                    slots: Slot.all, limit: 1, staleAfter: .seconds(60), lease: .seconds(60),
                    holder: LeaseHolder(rawValue: 1)),
                LockAlerts([]),
                RecordAttempts([]), JudgeAlerts([]), SettleAlerts([]), ReleaseDeliveries([]), MeasureDeliveries(),
            ]
        ),
    ]

    @Test(arguments: statements.map(\.0)) func aServiceMayDoItsWork(_ role: TestDatabase.Role) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            try await Schema.require(on: connection)
            for statement in Self.statements.first(where: { $0.0 == role })?.1 ?? [] {
                do {
                    try await connection.perform(statement)
                } catch {
                    Issue.record("\(type(of: statement)): \(String(reflecting: error))")
                }
            }
            if role == .ingestor { try await connection.copy(into: CopySamples.self, rows: CopyBuffer()) }
            await connection.close()
        }
    }

    private static let forbidden: [(role: TestDatabase.Role, statements: [String])] = [
        (
            .ingestor,
            [
                "SELECT password_hash FROM account", "SELECT email FROM account",
                "SELECT claim_code_hash FROM device", "SELECT key_generation FROM device", "DELETE FROM sample",
                "UPDATE sample SET event_time = now()", "TRUNCATE sample", "UPDATE alert SET state = 'cancelled'",
                "SELECT FROM alert", "SELECT FROM evaluation_batch", "DELETE FROM evaluation_batch",
                "SELECT target FROM endpoint", "UPDATE device SET slot = 1", "SELECT rules_changed(0::smallint, 1)",
                "DELETE FROM sample_hour", "DELETE FROM sample_day", "TRUNCATE rollup_due",
                "UPDATE rollup_due SET slot = 1",
                "UPDATE rollup_progress SET hours_since = now()", "DELETE FROM rollup_progress", "DELETE FROM episode",
                "DELETE FROM alert", "SELECT FROM transition", "SELECT tune_sample_partition('sample')",
                "SELECT may_be_forgotten(now(), now())", "DROP TABLE sample_hour",
                "ALTER TABLE sample_day ADD mine integer",
            ]
        ),
        (
            .rules,
            [
                "SELECT target FROM endpoint", "SELECT sealed_secret FROM endpoint", "SELECT email FROM account",
                "SELECT password_hash FROM account", "SELECT name FROM ownership", "SELECT hardware_id FROM device",
                "UPDATE sample SET ph = 7", "INSERT INTO evaluation_batch DEFAULT VALUES",
                "UPDATE setting SET minimum = NULL", "DELETE FROM episode", "SELECT FROM delivery",
                "SELECT nextval('evaluation_batch_batch_id_seq')", "TRUNCATE device_clock",
            ]
        ),
        (
            .notifier,
            [
                "INSERT INTO sample DEFAULT VALUES", "SELECT FROM sample", "SELECT password_hash FROM account",
                "SELECT email FROM account", "SELECT claim_code_hash FROM device", "UPDATE alert SET value = 7",
                "UPDATE endpoint SET target = 'x'", "INSERT INTO endpoint DEFAULT VALUES", "DELETE FROM delivery",
                "SELECT FROM evaluation_batch", "SELECT FROM episode",
            ]
        ),
    ]

    @Test(arguments: forbidden) func aServiceMayNotDoWhatIsNotItsWork(
        _ role: TestDatabase.Role, _ statements: [String]
    ) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            for sql in statements { await expectForbidden(sql, connection) }
            await connection.close()
        }
    }

    private static let upkeep = [
        "SELECT make_sample_partitions(current_date, current_date)", "SELECT make_hour_partitions()",
        "SELECT drop_oldest_partition('sample', '900 days')", "SELECT delete_old_alerts('900 days', 1)",
        "SELECT FROM sample_hour", "SELECT FROM rollup_due",
    ]

    @Test(arguments: [TestDatabase.Role.ingestor, .rules, .notifier])
    func noServiceChangesTheSchema(_ role: TestDatabase.Role) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            for sql in [
                "CREATE TABLE mine ()", "CREATE SCHEMA mine", "DROP TABLE sample", "ALTER TABLE slot ADD mine integer",
                "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "SET ROLE aqua_owner",
                "DELETE FROM schema_migration", "INSERT INTO slot VALUES (64)",
            ] + (role == .ingestor ? [] : Self.upkeep) {
                await expectForbidden(sql, connection)
            }
            await connection.close()
        }
    }

    private func expectForbidden(_ sql: String, _ connection: PostgresConnection) async {
        let error = await #expect(throws: PostgresError.self, "\(sql)") { try await connection.executeScript(sql) }
        #expect(error?.code == .insufficientPrivilege, "\(sql): \(error?.message ?? "")")
    }
}
