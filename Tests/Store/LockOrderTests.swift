import Instants
import Postgres
import TestSupport
import Testing
import WaterQuality

@testable import Notifier
@testable import RulesEngine
@testable import Store

/// Engine, notifier and operator lock alerts in the order of their key, then throttles in the order of theirs. Crossing
/// orders would deadlock until the server ends one of them.
@Suite struct LockOrderTests {
    private static let slot = Slot.all[1]
    private static let account = Account.ID(rawValue: 1)
    private static let now = Timestamp(unixSeconds: Int64(4_000_000_000))

    /// Two alerts on their way, of two devices, each with its throttle.
    private static let rows = """
        SET session_replication_role = replica;
        INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at,
                event_time, state)
            SELECT 1, n, 1, 1, n, n, 'range', 'alarm', 'high', now(), now() - interval '1 hour', 'sending'
            FROM generate_series(1, 2) n;
        INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
            SELECT 1, n, 1, 1, 'high', now(), n FROM generate_series(1, 2) n;
        """

    private static func alert(_ number: Int64) -> AlertKey {
        AlertKey(slot: slot, alert: Alert.ID(rawValue: number))
    }

    private static func subject(_ device: Int32) -> Subject {
        Subject(
            device: DeviceKey(slot: slot, device: Device.ID(rawValue: device)), parameter: .ph, account: account,
            kind: .range)
    }

    private static func charge(_ number: Int32) -> ChargeThrottles {
        ChargeThrottles([
            ChargeThrottles.Charge(
                subject: subject(number), side: .high, at: now, alert: Alert.ID(rawValue: Int64(number)))
        ])
    }

    private static func refund(_ number: Int64) -> SettleAlerts.Settled {
        let alert = Alert.ID(rawValue: number)
        let settlement = Settlement(
            of: alert, charging: Throttle(runsFrom: now, pending: .stored(alert)), event: nil, decidedAt: now,
            firstAcceptance: nil, anyPending: false, isClockTrusted: true)
        return (self.alert(number), account, settlement)
    }

    /// `first` takes a lock, `second` waits for it, and `first` goes on to the rows that `second` wants as well.
    private func cross(
        _ first: TestDatabase.Role, _ begin: [any Statement], _ goOn: [any Statement],
        _ second: TestDatabase.Role, _ other: [any Statement], changing change: String = ""
    ) async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.rows + change)
            let holder = try await SchemaFixture.connect(fixture.database, first)
            let waiter = try await SchemaFixture.connect(fixture.database, second)
            try await holder.executeScript("SET idle_in_transaction_session_timeout = 0; BEGIN")
            for statement in begin { try await holder.perform(statement) }
            async let waited: Void = waiter.transaction { transaction in
                for statement in other { try transaction.perform(statement) }
            }
            _ = try await awaitFact("the second to wait") {
                try await fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            for statement in goOn { try await holder.perform(statement) }
            try await holder.executeScript("COMMIT")
            try await waited
            await holder.close()
            await waiter.close()
        }
    }

    private static let replacements = [2, 1].map {
        ReplaceAlertTexts.Replacement(
            slot: slot, alert: Alert.ID(rawValue: $0),
            content: .range(RangeContent(parameter: .ph, side: .high, value: 9, worst: 9, limit: 8)), isCritical: false,
            eventTime: now, receivedAt: now, episode: .stored(Episode.ID(rawValue: $0)), openedAt: now)
    }

    @Test func textsAreReplacedInTheNotifiersOrder() async throws {
        try await cross(
            .notifier, [LockAlerts([Self.alert(1)])], [LockAlerts([Self.alert(1), Self.alert(2)])],
            .rules, [ReplaceAlertTexts(Self.replacements, .none)])
    }

    @Test func throttlesAreGivenBackInTheEnginesOrder() async throws {
        try await cross(
            .rules, [Self.charge(1)],
            [Self.charge(2)],
            .notifier, [SettleAlerts([Self.refund(2), Self.refund(1)])])
    }

    /// The all-clears of both devices were delivered.
    @Test func chargesAreReturnedInTheEnginesOrder() async throws {
        try await cross(
            .rules, [Self.charge(1)],
            [Self.charge(2)],
            .notifier, [SettleAlerts([4, 3].map { Self.told($0) })],
            changing: """
                INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side,
                    opened_at, event_time, state)
                SELECT slot, device_id, parameter, account_id, alert_id + 2, episode_id, kind, 'recovery', side, opened_at,
                    event_time, state FROM alert
                """)
    }

    private static func told(_ number: Int64) -> SettleAlerts.Settled {
        let settlement = Settlement(
            of: Alert.ID(rawValue: number), charging: nil, event: nil, decidedAt: now, firstAcceptance: now,
            anyPending: false, isClockTrusted: true)
        return (alert(number), account, settlement)
    }

    /// The device's alerts are in the opposite order by parameter, which an index scan would follow.
    @Test func unlinkingLocksAlertsInTheNotifiersOrder() async throws {
        let device = Self.subject(1).device
        let code = StoredClaimCode(hash: Array(repeating: 7, count: 32), keyID: SchemaFixture.keyID)
        try await cross(
            .notifier, [LockAlerts([Self.alert(1)])], [LockAlerts([Self.alert(1), Self.alert(2)])],
            .owner,
            [UnlinkDevice(device: device, account: Self.account, claimCode: code)],
            changing: """
                INSERT INTO ownership (slot, device_id, account_id, name) VALUES (1, 1, 1, 'Pond');
                UPDATE alert SET device_id = 1, parameter = 3 - alert_id
                """)
    }

    /// A webhook that is signed out, and a browser's subscription, which moves by its keys while it is in use.
    private static let moves = [
        (
            number: "number_endpoint('webhook', 'https://hooks.example.org/1', $1)",
            add: "add_endpoint(endpoint, $1, 'webhook', 'https://hooks.example.org/1', '', NULL)"
        ),
        (
            number: "number_installed('webPush', 'https://push.example.org/2', sha256('keys'), gen_random_uuid(), $1)",
            add: """
            add_installed(endpoint, $1, 'webPush', 'https://push.example.org/2', '', sha256('keys'), '0011223344556677',
                gen_random_uuid())
            """
        ),
    ]

    /// Whoever closes an account locks it before its endpoints; of one that moves, its person is told by the others.
    @Test(arguments: moves.indices)
    func aMovingEndpointLocksTheFormerAccountBeforeItself(index: Int) async throws {
        let move = Self.moves[index]
        try await SchemaFixture.with { fixture in
            let (ada, bob) = (
                try await fixture.addAccount("ada").rawValue, try await fixture.addAccount("bob").rawValue
            )
            try await fixture.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, paused_at)
                VALUES (1, \(ada), 'webhook', 'https://hooks.example.org/1', '', now()),
                    (3, \(ada), 'ntfy', 'https://ntfy.example.org/3', '', NULL);
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, fingerprint, vapid_key_id, confirmed_at)
                VALUES (2, \(ada), 'webPush', 'https://push.example.org/2', '', sha256('keys'), '0011223344556677', now())
                """)
            let closing = try await SchemaFixture.connect(fixture.database, .owner)
            let moving = try await SchemaFixture.connect(fixture.database, .owner)
            try await closing.executeScript(
                """
                BEGIN;
                SELECT FROM account WHERE account_id = \(ada) FOR UPDATE;
                SELECT FROM endpoint WHERE endpoint_id = 3 FOR UPDATE
                """)
            async let moved: Void = moving.executeScript(
                """
                BEGIN;
                SELECT name_person(\(bob));
                DO $$ BEGIN PERFORM \(move.add) FROM \(move.number) AS known; END $$;
                COMMIT
                """.replacing("$1", with: "\(bob)"))
            _ = try await awaitFact("the registration to wait") {
                try await fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await closing.executeScript("SELECT close_account(\(ada)); COMMIT")
            try await moved
            #expect(try await fixture.database.sql("SELECT DISTINCT account_id FROM endpoint") == "\(bob)")
            let left = "SELECT count(*) FROM account_event WHERE account_id = \(ada)"
            #expect(try await fixture.database.sql(left) == "0", "nothing is noted for an account that is gone")
            await closing.close()
            await moving.close()
        }
    }

    /// Whoever closes an account locks it before what the person has.
    @Test(arguments: [
        (
            "hand_test",
            "gen_random_uuid(), NULL, now(), NULL, NULL, '{1}', '{7}', ARRAY[NULL]::real[], ARRAY[NULL]::real[], ARRAY[NULL]::text[], '{7}', '{pH}'"
        ),
        (
            "field_sample",
            "gen_random_uuid(), NULL, 'done', now(), '{}', NULL, NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}'"
        ),
        ("tank_answers", "NULL, NULL, '{}', 180, NULL, NULL, NULL, NULL, NULL"),
    ])
    func whatIsWrittenOfATankLocksTheAccountBeforeIt(table: String, content: String) async throws {
        try await SchemaFixture.with { fixture in
            let account = try await fixture.addAccount("anna")
            let device = try await fixture.addDevice("tank")
            try await fixture.link(device, to: account)
            let closing = try await SchemaFixture.connect(fixture.database, .owner)
            let writing = try await SchemaFixture.connect(fixture.database, .owner)
            try await closing.executeScript("BEGIN; SELECT FROM account FOR UPDATE")
            async let written: Void = writing.executeScript(
                """
                BEGIN;
                SELECT name_person(\(account.rawValue));
                SELECT put_\(table)(\(device.slot.rawValue)::smallint, \(device.device.rawValue), \(content));
                COMMIT
                """)
            _ = try await awaitFact("the writer to wait") {
                try await fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await closing.executeScript("SELECT FROM ownership FOR UPDATE; COMMIT")
            try await written
            #expect(try await fixture.database.sql("SELECT count(*) FROM \(table)") == "1")
            await closing.close()
            await writing.close()
        }
    }

    /// Whoever changes their own limits has their part in the device locked; a project's change waits there, and takes what they set.
    @Test func aProjectsLimitsWaitForTheMemberWhoSetsTheirOwn() async throws {
        try await ProjectScene.with(others: 1, devices: 1) { scene in
            try await scene.link(0)
            let key = WatchKey(device: scene.devices[0], parameter: .ph, account: Account.ID(rawValue: scene.ana))
            let member = try await SchemaFixture.connect(scene.fixture.database, .owner)
            try await member.executeScript(
                "BEGIN; SELECT FROM ownership WHERE account_id = \(scene.ana) AND unlinked_at IS NULL FOR UPDATE")
            async let changed: Void = scene.setMaximum(80, on: 0, of: scene.project)
            _ = try await awaitFact("the project's change to wait") {
                try await scene.fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            let current = try #require(try await member.execute(ReadSetting(key)).first)
            var next = current
            next.maximum = 79
            next.version += 1
            next.follows = false
            _ = try await member.perform(EndSetting(key))
            _ = try await member.perform(AddSetting(key, next))
            try await member.executeScript("COMMIT")
            try await changed
            #expect(try await scene.maxima(on: 0) == ["\(scene.project)": "80 2 f", "\(scene.ana)": "79 2 f"])
            await member.close()
        }
    }

    /// Whoever answers an alarm holds the parts of all who share the device, in one order; whoever leaves holds their own of each device.
    @Test func leavingAndAnsweringGoOneAfterTheOther() async throws {
        try await ProjectScene.with(others: 2, devices: 2) { scene in
            for device in 0..<2 { try await scene.link(device) }
            for person in scene.others { #expect(try await scene.join(person, as: "keeper") == "joined") }
            let answering = try await SchemaFixture.connect(scene.fixture.database, .owner)
            let device = scene.devices[0].device.rawValue
            try await answering.executeScript(
                """
                BEGIN;
                SELECT FROM ownership o WHERE o.device_id = \(device) AND o.unlinked_at IS NULL ORDER BY o.ownership_id FOR UPDATE
                """)
            async let left = scene.remove(scene.others[0], by: scene.others[0])
            _ = try await awaitFact("whoever leaves to wait") {
                try await scene.fixture.database.sql(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == "1" ? true : nil
            }
            try await answering.executeScript("COMMIT")
            #expect(try await left == "done")
            await answering.close()
        }
    }
}
