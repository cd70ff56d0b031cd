import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Devices of one owner that fall silent at once are told as one thing. Times are seconds before now.
@Suite struct SiteSilenceTests {
    @Test func threeWithoutPowerAreOneMessage() async throws {
        try await SilenceScene.with { scene in
            for (device, ago) in zip(try await scene.ponds(3), [400, 390, 380]) {
                try await scene.hear(until: ago, of: device)
            }
            #expect(try await scene.look().alerts.count == 3)
            #expect(
                try await scene.sql(
                    """
                    SELECT count(*), count(DISTINCT group_id), bool_and(due_at = now() + interval '15 s'),
                        bool_and(about[1]::jsonb -> 'of' = '3' AND about[1]::jsonb -> 'site' = to_jsonb(account_id)
                            AND about[1]::jsonb -> 'name' IS NULL)
                    FROM alert
                    """) == "3|1|t|t")
            #expect(try await scene.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "3")
            #expect(
                try await scene.sql("SELECT count(DISTINCT coalesce(group_id, uid)) FROM alert") == "1", "one charge")
        }
    }

    /// Two of five are two messages, at once.
    @Test func fewOfManyAreToldEachByItself() async throws {
        try await SilenceScene.with { scene in
            for (device, ago) in zip(try await scene.ponds(5), [400, 390, 20, 15, 10]) {
                try await scene.hear(until: ago, of: device)
            }
            #expect(try await scene.look().alerts.count == 2)
            #expect(
                try await scene.sql("SELECT count(*), count(group_id), count(due_at), count(about) FROM alert")
                    == "2|0|0|0")
        }
    }

    /// The first that is found waits for those that are overdue, and they join its message.
    @Test func whatIsFoundLaterJoinsTheMessage() async throws {
        try await SilenceScene.with { scene in
            for (device, ago) in zip(try await scene.ponds(3), [310, 250, 240]) {
                try await scene.hear(until: ago, of: device)
            }
            #expect(try await scene.look().alerts.count == 1)
            #expect(
                try await scene.sql("SELECT due_at = now() + interval '75 s', group_id = uid FROM alert") == "t|t",
                "the last of them is due in a minute")
            try await scene.pass(70)
            #expect(try await scene.lookAgain().alerts.count == 2)
            #expect(
                try await scene.sql("SELECT count(*), count(DISTINCT group_id), count(DISTINCT due_at) FROM alert")
                    == "3|1|1")
        }
    }

    /// Who shares two of the devices is told of these two alone, and the other learns nothing of them by it.
    @Test func whoSharesSomeIsToldOfTheirs() async throws {
        try await SilenceScene.with { scene in
            let ponds = try await scene.ponds(3)
            let ana = try await scene.fixture.addPerson("ana")
            for device in ponds.prefix(2) { try await scene.share(device, with: ana) }
            for device in ponds { try await scene.hear(until: 400, of: device) }
            #expect(try await scene.look().alerts.count == 5)
            #expect(
                try await scene.sql(
                    "SELECT count(*), count(group_id), count(about) FROM alert WHERE account_id = \(ana.rawValue)")
                    == "2|0|0")
            #expect(
                try await scene.sql(
                    "SELECT count(DISTINCT group_id) FROM alert WHERE account_id = \(scene.fixture.account.rawValue)")
                    == "1")
        }
    }

    /// Devices of another owner are another site, though one person has all of them.
    @Test func eachOwnersDevicesAreASite() async throws {
        try await SilenceScene.with { scene in
            let ana = try await scene.fixture.addPerson("ana")
            var shared: [DeviceKey] = []
            for number in 0..<3 {
                shared.append(try await EngineFixture.link("ana-\(number)", to: ana, scene.fixture.owner))
                try await scene.share(shared[number], with: scene.fixture.account)
            }
            for device in try await scene.ponds(3) + shared { try await scene.hear(until: 400, of: device) }
            #expect(try await scene.look().alerts.count == 9)
            #expect(
                try await scene.sql(
                    """
                    SELECT string_agg(n::text, ',') FROM (
                        SELECT count(*) AS n FROM alert WHERE account_id = \(scene.fixture.account.rawValue) GROUP BY group_id) s
                    """) == "3,3")
        }
    }

    /// Those of a project carry its name.
    @Test func aProjectIsNamed() async throws {
        try await SilenceScene.with { scene in
            let ponds = try await scene.ponds(3)
            try await scene.sql(
                """
                BEGIN;
                SET LOCAL session_replication_role = replica;
                INSERT INTO account (account_id, kind, display_name) OVERRIDING SYSTEM VALUE VALUES (900, 'project', 'Koi farm');
                UPDATE ownership SET role = 'watcher', project_id = 900, linked_at = now() - interval '1 day';
                INSERT INTO ownership (slot, device_id, account_id, name, tank_id, role, project_id)
                SELECT slot, device_id, 900, name, tank_id, 'owner', 900 FROM ownership;
                COMMIT
                """)
            for device in ponds { try await scene.hear(until: 400, of: device) }
            try await scene.look()
            #expect(
                try await scene.sql(
                    """
                    SELECT count(*), bool_and(about[1]::jsonb ->> 'name' = 'Koi farm' AND about[1]::jsonb -> 'site' = '900')
                    FROM alert WHERE account_id = \(scene.fixture.account.rawValue)
                    """) == "3|t")
        }
    }

    /// A day later it is called to mind by one message.
    @Test func remindersAreOneMessageAsWell() async throws {
        try await SilenceScene.with { scene in
            try await scene.fallSilent(try await scene.ponds(3))
            try await scene.sql("UPDATE throttle SET charged_at = charged_at - interval '1 day'")
            #expect(try await scene.lookAgain().alerts.map(\.purpose) == [.reminder, .reminder, .reminder])
            #expect(
                try await scene.sql(
                    """
                    SELECT count(*), count(DISTINCT group_id), bool_and(due_at > now() + interval '4 minutes')
                    FROM alert WHERE purpose = 'reminder'
                    """) == "3|1|t")
        }
    }

    // MARK: The bound of an hour

    /// What is one message is one of those that a person is told within an hour, also where it is the last, and whoever joins it later.
    @Test func whatIsOneMessageIsNotCutByTheBound() async throws {
        try await SilenceScene.with { scene in
            for (device, ago) in zip(try await scene.ponds(3), [310, 305, 250]) {
                try await scene.hear(until: ago, of: device)
            }
            try await scene.sql(
                "INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret) "
                    + "SELECT 7, account_id, 'ntfy', 'https://ntfy.example.org/topic', '' FROM account")
            #expect(try await scene.look(mostAnHour: 1).count == 2)
            try await scene.pass(55)
            try await scene.sql("UPDATE silence_check SET due_at = now()")
            #expect(try await scene.look(mostAnHour: 1).count == 1)
            #expect(
                try await scene.sql("SELECT count(*), count(DISTINCT group_id), count(audience) FROM alert") == "3|1|0")
            #expect(try await scene.sql("SELECT count(*) FROM gathering") == "0")
        }
    }

    // MARK: The way back

    @Test func thatAllAreBackIsOneMessage() async throws {
        try await SilenceScene.with { scene in
            let ponds = try await scene.ponds(3)
            try await scene.fallSilent(ponds)
            for device in ponds { try await scene.hear(until: 10, of: device) }
            _ = try await scene.lookAgain()
            try await scene.calm()
            #expect(try await scene.look().alerts.map(\.purpose) == [.recovery, .recovery, .recovery])
            #expect(
                try await scene.sql(
                    """
                    SELECT count(DISTINCT group_id), count(DISTINCT due_at) = 1 AND bool_and(due_at > now()),
                        bool_and(about[1]::jsonb -> 'of' = '3' AND about[1]::jsonb -> 'missingCount' = '0')
                    FROM alert WHERE purpose = 'recovery'
                    """) == "1|t|t")
        }
    }

    /// After three minutes it is told who is back and who is not; whoever follows is told by itself.
    @Test func thatSomeAreBackIsToldAfterAWhile() async throws {
        try await SilenceScene.with { scene in
            let ponds = try await scene.ponds(3)
            try await scene.fallSilent(ponds)
            try await scene.hear(until: 10, of: ponds[0])
            _ = try await scene.lookAgain()
            try await scene.sql(
                """
                UPDATE episode SET recovery_due_at = now(), closed_at = closed_at - interval '60 s' WHERE closed_at IS NOT NULL
                """)
            #expect(try await scene.look().alerts.isEmpty, "the others may follow")
            #expect(
                try await scene.sql("SELECT recovery_due_at > now() FROM episode WHERE closed_at IS NOT NULL") == "t")
            try await scene.calm()
            #expect(try await scene.look().alerts.map(\.purpose) == [.recovery])
            #expect(
                try await scene.sql(
                    """
                    SELECT about[1]::jsonb -> 'missing', about[1]::jsonb -> 'missingCount' FROM alert WHERE purpose = 'recovery'
                    """) == #"["pond-1", "pond-2"]|2"#)
            try await scene.sql("UPDATE alert SET state = 'delivered', due_at = NULL")
            for device in ponds.dropFirst() { try await scene.hear(until: 5, of: device) }
            _ = try await scene.lookAgain()
            try await scene.calm()
            #expect(try await scene.look().alerts.count == 2)
        }
    }

    // MARK: Chains

    /// The chain that calls first calls for all of them; when its device is back, that of another does.
    @Test func oneChainCallsForAll() async throws {
        try await SilenceScene.with { scene in
            let ponds = try await scene.ponds(3)
            for (device, minutes) in zip(ponds, [30, 10, 10]) {
                try await scene.sql(
                    """
                    INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, endpoint_id)
                    VALUES (\(device.slot.rawValue), \(device.device.rawValue), \(scene.fixture.account.rawValue), 1, \(minutes), 1)
                    """)
            }
            for device in ponds { try await scene.hear(until: 400, of: device) }
            try await scene.look()
            try await scene.sql("UPDATE alert SET state = 'delivered'")
            #expect(
                try await scene.sql(
                    "SELECT count(*), bool_and(began_at = now() + interval '15 s') FROM escalation WHERE ended_at IS NULL"
                )
                    == "3|t", "nobody is called before their person is told")
            let first = try await scene.call(after: 11)
            #expect(first.count == 1 && first.allSatisfy { ponds.dropFirst().contains($0) })
            #expect(try await scene.call(after: 20).isEmpty, "the others follow it")
            let leader = try #require(first.first)
            try await scene.sql(
                """
                UPDATE episode SET closed_at = now(), closed_because = 'recovered'
                WHERE slot = \(leader.slot.rawValue) AND device_id = \(leader.device.rawValue)
                """)
            _ = try await scene.call(after: 0)
            _ = try await scene.call(after: 6)
            #expect(try await scene.call(after: 11).first.map { $0 != leader && ponds.contains($0) } == true)
        }
    }
}

extension SilenceScene {
    /// So many devices of the fixture's person, the fixture's own first.
    fileprivate func ponds(_ count: Int) async throws -> [DeviceKey] {
        var ponds = [fixture.device]
        for number in 1..<count {
            ponds.append(try await EngineFixture.link("pond-\(number)", to: fixture.account, fixture.owner))
        }
        // A column's default takes the real clock, which the frozen one is behind.
        try await sql(
            "UPDATE silence_check SET due_at = now(); UPDATE ownership SET linked_at = now() - interval '1 day'")
        return ponds
    }

    /// Makes a person a watcher of a device, for a day already.
    fileprivate func share(_ device: DeviceKey, with person: Account.ID) async throws {
        try await sql(
            """
            BEGIN;
            SET LOCAL session_replication_role = replica;
            INSERT INTO ownership (slot, device_id, account_id, name, tank_id, role, linked_at, readings_from)
            SELECT slot, device_id, \(person.rawValue), 'Shared', tank_id, 'watcher', now() - interval '1 day', '-infinity' FROM ownership
            WHERE slot = \(device.slot.rawValue) AND device_id = \(device.device.rawValue) AND role = 'owner';
            COMMIT
            """)
    }

    /// Lets so many seconds pass for what was received.
    fileprivate func pass(_ seconds: Int) async throws {
        try await sql(
            "UPDATE sample SET received_at = received_at - interval '\(seconds) s', event_time = event_time - interval '\(seconds) s'"
        )
    }

    /// Looks for silence where people are told so many messages in an hour.
    fileprivate func look(mostAnHour most: Int) async throws -> [AlertRecord] {
        try await engine.transaction { transaction in
            var steps = ClockSteps()
            return try SilenceSweep(policy: AlertPolicy(mostAnHour: most)).perform(transaction, &steps).alerts
        }
    }

    /// Has devices fall silent, and their person told of it.
    fileprivate func fallSilent(_ devices: [DeviceKey]) async throws {
        for device in devices { try await hear(until: 4_000, of: device) }
        #expect(try await look().alerts.count == devices.count)
        try await sql("UPDATE alert SET state = 'delivered', due_at = NULL")
    }

    /// Lets an hour pass for what has ended.
    fileprivate func calm() async throws {
        try await sql(
            "UPDATE episode SET closed_at = closed_at - interval '1 hour', recovery_due_at = now() WHERE recovery_due_at IS NOT NULL"
        )
    }

    /// Lets minutes pass for the chains, and looks at all of them.
    /// - Returns: The devices for which somebody was called.
    fileprivate func call(after minutes: Int) async throws -> [DeviceKey] {
        let span = "interval '\(minutes) minutes'"
        try await sql(
            """
            UPDATE escalation SET alarm_at = alarm_at - \(span), began_at = began_at - \(span), over_since = over_since - \(span),
                answers_from = answers_from - \(span), next_at = now() WHERE ended_at IS NULL
            """)
        return try await fixture.owner.transaction { transaction in
            try EscalationSweep(policy: AlertPolicy()).perform(transaction).calls.filter { $0.outcome == .told }.map(
                \.device)
        }
    }
}
