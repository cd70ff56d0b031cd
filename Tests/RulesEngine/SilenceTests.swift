import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Devices that fall silent. Times are seconds before now.
@Suite struct SilenceTests {
    @Test func aSilentDeviceIsToldOnce() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            #expect(try await scene.look().alerts.count == 1)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(
                try await scene.sql(
                    """
                    SELECT a.kind, a.purpose, a.check_probe, a.parameter IS NULL, a.episode_id = e.episode_id,
                        a.opened_at = e.opened_at AND e.opened_at = (SELECT max(received_at) FROM sample)
                    FROM alert a, episode e
                    """) == "silence|alarm|f|t|t|t")
            #expect(try await scene.sql("SELECT reason, notification FROM transition") == "opened|alerted")
            #expect(
                try await scene.sql("SELECT due_at BETWEEN now() AND now() + interval '15 s' FROM silence_check") == "t"
            )
        }
    }

    /// The database's clock was two hours ahead, and was corrected. A device that sends every quarter of an hour gets
    /// its whole allowance; episodes and marks from that time end as soon as it is heard.
    @Test func aClockThatWasAheadMakesNobodySilentAndBlindsNobody() async throws {
        try await SilenceScene.with { scene in
            func hear(_ first: Int, _ last: Int, ahead: Int = 0) async throws {
                try await scene.sql(
                    """
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, t, t + interval '\(ahead) s', 8 FROM device, generate_series(\(last), \(first), 900) n,
                        LATERAL (SELECT now() - n * interval '1 s' AS t) x
                    """)
            }
            try await hear(20_400, 3_300)
            try await hear(2_400, 1_500, ahead: 7_200)
            try await scene.sql("UPDATE silence_clock SET runs_from = now() - interval '1300 s'")
            #expect(try await scene.look().alerts.isEmpty)
            #expect(try await scene.sql("SELECT count(*) FROM episode") == "0")
            try await scene.sql("UPDATE silence_clock SET runs_from = now() - interval '2701 s'")
            #expect(try await scene.lookAgain().alerts.count == 1)
            #expect(try await scene.sql("SELECT opened_at < now() - interval '3200 s' FROM episode") == "t")
            try await scene.sql(
                "UPDATE episode SET opened_at = now() + interval '2 hours', last_at = now() + interval '2 hours'")
            try await hear(10, 10)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(try await scene.sql("SELECT closed_at < now() FROM episode") == "t")
        }
    }

    /// Reports of probes from the time of the wrong clock do not count now.
    @Test func probesOfAClockThatWasAheadAreNotHeard() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            try await scene.sql(
                """
                INSERT INTO temperature_probe (slot, device_id, probe_id) SELECT slot, device_id, 'AA01' FROM device;
                INSERT INTO reported_probe (slot, device_id, probe_id, temperature, reported_at)
                SELECT slot, device_id, 'AA02', 21, now() + interval '2 hours' FROM device;
                INSERT INTO probe_fault (slot, device_id, parameter, since, last_at, received_at)
                SELECT slot, device_id, 1, now(), now(), now() + interval '2 hours' FROM device
                """)
            #expect(try await scene.look().alerts.count == 1)
        }
    }

    @Test func aConnectedDeviceHasATroubledProbe() async throws {
        try await SilenceScene.with { scene in
            try await scene.sql(
                "INSERT INTO device_status (slot, device_id, online, changed_at) SELECT slot, device_id, true, now() FROM device"
            )
            try await scene.hear(until: 400)
            try await scene.look()
            #expect(try await scene.sql("SELECT check_probe FROM alert") == "t")
        }
    }

    @Test func aDeviceThatIsHeardIsNextLookedAtWhenItCanBeSilent() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 290)
            try await scene.look()
            #expect(try await scene.told() == [])
            #expect(
                try await scene.sql(
                    """
                    SELECT due_at = (SELECT max(received_at) FROM sample) + interval '300 s' FROM silence_check
                    """) == "t")
        }
    }

    /// A device wakes every quarter of an hour and sends two readings: ten minutes later it sleeps, and after missing
    /// three times it is silent. Looks remember its rhythm.
    @Test func aDeviceThatWakesAndSleepsIsNotSilent() async throws {
        try await SilenceScene.with { scene in
            func hear(cycles: Range<Int>) async throws {
                try await scene.sql(
                    """
                    INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                    SELECT slot, 0, device_id, t, t, 8 FROM device, generate_series(\(cycles.lowerBound), \(cycles.upperBound - 1)) n,
                        generate_series(0, 1) b, LATERAL (SELECT now() - interval '600 s' - n * interval '900 s' + b * interval '12 s' AS t) x
                    """)
            }
            try await hear(cycles: 10..<40)
            #expect(try await scene.lookAgain().alerts.count == 1, "it was away for two and a half hours")
            try await scene.sql("UPDATE alert SET state = 'delivered'")
            try await hear(cycles: 0..<10)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(try await scene.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "0")
            #expect(
                try await scene.sql(
                    "SELECT due_at BETWEEN now() + interval '14 min' AND now() + interval '15 min' FROM silence_check")
                    == "t")
            #expect(
                try await scene.sql("SELECT learnt_until = (SELECT max(received_at) FROM sample) FROM silence_check")
                    == "t")
            try await scene.sql(
                "UPDATE sample SET event_time = event_time - interval '2200 s', received_at = received_at - interval '2200 s'"
            )
            #expect(try await scene.lookAgain().alerts.isEmpty, "throttled")
            #expect(try await scene.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "1")
        }
    }

    /// After one reading and nothing since, its person gets an alert in the end.
    @Test func aNewlyLinkedDeviceIsLookedForFromItsFirstReadingOn() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 9_000, count: 1)
            #expect(try await scene.look().alerts.isEmpty)
            try await scene.sql(
                "UPDATE sample SET event_time = event_time - interval '2000 s', received_at = received_at - interval '2000 s'"
            )
            #expect(try await scene.lookAgain().alerts.count == 1)
        }
    }

    /// While the Ingestor is away, behind or missing, and for one allowance afterwards, no device counts as silent.
    @Test(
        arguments: [
            "UPDATE ingest_seat SET level_at = now() - interval '31 s'",
            "UPDATE ingest_seat SET level_at = NULL",
            "UPDATE ingest_seat SET level_at = now() + interval '1 hour'",
            "UPDATE ingest_seat SET session_open = false",
            "INSERT INTO ingest_seat (seat, session_open) VALUES (2, true) ON CONFLICT (seat) DO UPDATE SET session_open = true",
            "UPDATE silence_clock SET looked_at = now() - interval '61 s'",
            "UPDATE silence_clock SET looked_at = now() + interval '1 hour'",
            "UPDATE silence_clock SET runs_from = now() + interval '1 hour'",
        ])
    func anOutageOfOursIsNotToldAsTheirs(_ outage: String) async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 4_000)
            try await scene.sql(outage)
            try await scene.look()
            #expect(try await scene.sql("SELECT now() - runs_from < interval '60 s' FROM silence_clock") == "t")
            try await scene.sql("UPDATE ingest_seat SET level_at = now() WHERE session_open")
            #expect(try await scene.lookAgain().alerts.isEmpty)
            try await scene.sql("UPDATE silence_clock SET runs_from = now() - interval '295 s'")
            try await scene.listen()
            try await scene.sql("UPDATE ingest_seat SET level_at = now() WHERE session_open")
            #expect(try await scene.lookAgain().alerts.isEmpty, "the whole allowance")
            try await scene.sql("UPDATE silence_clock SET runs_from = now() - interval '301 s'")
            #expect(try await scene.lookAgain().alerts.count == 1)
        }
    }

    @Test func aLeapOfTheDatabasesClockIsNoSilence() async throws {
        let start = ContinuousClock.now
        let time = Timestamp.now
        var steps = ClockSteps()
        func leaps(_ clock: Int, after seconds: Int) -> Bool {
            steps.note(time + .seconds(clock), at: start + .seconds(seconds))
        }
        #expect(!leaps(0, after: 0) && !leaps(5, after: 5) && !leaps(70, after: 10), "nobody is silent by a minute")
        #expect(leaps(3_600, after: 15) && !leaps(3_605, after: 20), "ahead")
        #expect(leaps(25, after: 25), "and back")

        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            var before = ClockSteps()
            _ = before.note(.now - .seconds(3_600), at: .now - .seconds(5))
            #expect(try await scene.look(before).alerts.isEmpty)
            #expect(try await scene.sql("SELECT now() - runs_from < interval '60 s' FROM silence_clock") == "t")
        }
    }

    @Test func itIsToldWhenItIsHeardAgain() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 4_000)
            try await scene.look()
            try await scene.sql("UPDATE alert SET state = 'delivered'")
            try await scene.hear(until: 10)
            #expect(try await scene.lookAgain().alerts.isEmpty, "it may fall silent again at once")
            #expect(try await scene.sql("SELECT closed_because FROM episode") == "recovered")
            try await scene.sql(
                """
                UPDATE episode SET closed_at = closed_at - interval '1 hour', recovery_due_at = now()
                """)
            #expect(try await scene.look().alerts.count == 1)
            #expect(try await scene.look().alerts.isEmpty)
            #expect(try await scene.told() == ["silence alarm", "silence recovery"])
        }
    }

    /// Nobody got an alert about the trouble, so nobody gets its all-clear.
    @Test func theEndOfAnUntoldSilenceIsNotTold() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 4_000)
            try await scene.look()
            try await scene.sql("UPDATE alert SET state = 'undelivered'")
            try await scene.hear(until: 10)
            _ = try await scene.lookAgain()
            try await scene.sql("UPDATE episode SET closed_at = closed_at - interval '1 hour', recovery_due_at = now()")
            try await scene.look()
            #expect(try await scene.told() == ["silence alarm"])
            #expect(try await scene.sql("SELECT recovery_due_at IS NULL FROM episode") == "t")
        }
    }

    /// A device that comes and goes: one alarm in half an hour, and no all-clear between two silences.
    @Test func aDeviceThatComesAndGoesIsToldOnce() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 2_000, count: 200)
            try await scene.look()
            try await scene.sql("UPDATE alert SET state = 'delivered'")
            try await scene.hear(until: 350)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(try await scene.lookAgain().alerts.isEmpty)
            #expect(
                try await scene.sql(
                    "SELECT closed_at IS NOT NULL, recovery_due_at IS NULL FROM episode ORDER BY episode_id")
                    == "t|t\nf|t")
            #expect(
                try await scene.sql(
                    "SELECT notification FROM transition WHERE reason = 'opened' ORDER BY event_time DESC LIMIT 1")
                    == "throttled")
            try await scene.sql("UPDATE throttle SET charged_at = charged_at - interval '30 minutes'")
            #expect(try await scene.lookAgain().alerts.count == 1, "it lasts")
        }
    }

    @Test func aDayLaterItIsCalledToMind() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 2_000)
            try await scene.look()
            try await scene.sql(
                "UPDATE alert SET state = 'delivered'; UPDATE throttle SET charged_at = charged_at - interval '1 day'")
            _ = try await scene.lookAgain()
            #expect(try await scene.told() == ["silence alarm", "silence reminder"])
            #expect(
                try await scene.sql("SELECT e.alert_id = max(a.alert_id) FROM episode e, alert a GROUP BY e.alert_id")
                    == "t")
        }
    }

    @Test func everyPersonOfADeviceIsTold() async throws {
        try await SilenceScene.with { scene in
            try await scene.sql(
                """
                INSERT INTO account (email, password_hash, throttle_seconds) VALUES ('lee@example.org', 'scrypt$test', 7200);
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                SELECT 2, max(account_id), 'webhook', 'https://example.org/b', '' FROM account;
                INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at)
                SELECT slot, device_id, (SELECT max(account_id) FROM account), 'watcher', 'Theirs', now() - interval '1 day'
                FROM device;
                UPDATE ownership SET readings_from = '-infinity'
                """)
            try await scene.hear(until: 400)
            try await scene.look()
            #expect(try await scene.sql("SELECT count(DISTINCT account_id) FROM alert") == "2")
            try await scene.sql(
                """
                UPDATE alert SET state = 'delivered';
                UPDATE throttle SET charged_at = charged_at - interval '31 minutes'
                """)
            try await scene.hear(until: 315)
            _ = try await scene.lookAgain()
            #expect(try await scene.lookAgain().alerts.count == 1, "one of them hears of it every two hours at most")
        }
    }

    @Test func unlinkingEndsIt() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            try await scene.look()
            try await scene.fixture.owner.perform(
                UnlinkDevice(
                    device: scene.fixture.device, account: scene.fixture.account,
                    claimCode: StoredClaimCode(
                        hash: Array(repeating: 1, count: 32), keyID: String(repeating: "0", count: 16))))
            #expect(try await scene.sql("SELECT closed_because FROM episode") == "unlinked")
            _ = try await scene.lookAgain()
            #expect(
                try await scene.sql("SELECT count(*) FROM silence_check") == "0", "nobody's device is not looked at")
            #expect(try await scene.told() == ["silence alarm"])
            // The next owner has not heard it yet.
            try await scene.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, name)
                SELECT slot, device_id, \(scene.fixture.account.rawValue), 'Again' FROM device;
                UPDATE ownership SET readings_from = now() WHERE unlinked_at IS NULL
                """)
            #expect(try await scene.sql("SELECT count(*) FROM silence_check") == "1")
            _ = try await scene.lookAgain()
            #expect(try await scene.told() == ["silence alarm"])
        }
    }

    @Test func aSlotThatAnotherHoldsIsLookedAtNextTime() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            let slot = scene.fixture.device.slot.rawValue
            let holder = Task {
                try? await scene.sql("BEGIN; SELECT FROM slot WHERE slot = \(slot) FOR UPDATE; SELECT pg_sleep(300)")
            }
            let held = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
            try await scene.fixture.fact("SELECT count(*) = 1 \(held)")
            try await scene.look()
            try await scene.sql("SELECT pg_terminate_backend(pid) \(held)")
            _ = await holder.value
            #expect(try await scene.told() == [])
            #expect(try await scene.look().alerts.count == 1)
        }
    }

    @Test func twoEnginesTellItOnce() async throws {
        try await SilenceScene.with { scene in
            try await scene.hear(until: 400)
            let other = try await PostgresConnection.connect(
                EngineFixture.configuration(scene.fixture.database, .rules))
            let alerts = try await withThrowingTaskGroup(of: Int.self) { group in
                for engine in [scene.engine, other] {
                    group.addTask {
                        var alerts = 0
                        for _ in 0..<20 {
                            try await scene.sql("UPDATE silence_check SET due_at = now()")
                            alerts += try await scene.look(on: engine).alerts.count
                        }
                        return alerts
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(alerts == 1)
            #expect(try await scene.told() == ["silence alarm"])
            await other.close()
        }
    }

    @Test func aLookHasABound() async throws {
        try await SilenceScene.with { scene in
            try await scene.sql(
                """
                INSERT INTO silence_check (slot, device_id, due_at)
                SELECT 1, 1000000 + n, now() FROM generate_series(1, \(SilenceSweep.limit * 2)) n
                """)
            #expect(try await scene.look().isUnfinished)
            #expect(try await scene.look().isUnfinished)
            #expect(try await scene.look().isUnfinished == false)
            #expect(try await scene.sql("SELECT count(*) FROM silence_check") == "1")
        }
    }

    @Test(.timeLimit(.minutes(3))) func enginesTellOfSilenceAndGoOnDeciding() async throws {
        try await SilenceScene.with(isFrozen: false) { scene in
            try await scene.hear(until: 400)
            let registries = [MetricsRegistry(), MetricsRegistry()]
            // The Ingestor has been listening, however long the engines take to start.
            let listening = Task {
                while !Task.isCancelled {
                    try await scene.sql(
                        """
                        WITH seat AS (UPDATE ingest_seat SET level_at = now())
                        UPDATE silence_clock SET runs_from = now() - interval '1 day', looked_at = now()
                        """)
                    try await Task.sleep(for: .seconds(1))
                }
            }
            defer { listening.cancel() }
            try await scene.fixture.withEngines(2, metrics: registries) {
                try await scene.fixture.fact("SELECT count(*) = 1 FROM alert WHERE kind = 'silence'")
                try await scene.fixture.hand([.ph: 10], at: .now)
                try await scene.fixture.fact("SELECT count(*) = 1 FROM alert WHERE kind = 'range'")
            }
            #expect(registries.contains { $0.render().contains("\naqua_rules_alerts_total{kind=\"silence\"} 1\n") })
        }
    }
}
