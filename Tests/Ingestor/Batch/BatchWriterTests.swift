import Instants
import MQTT
import Postgres
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// A database that refuses, breaks or is away.
@Suite struct BatchWriterTests {
    private static func samples(_ count: Int, of device: DeviceKey) -> [Sample] {
        (0..<count).map { number in
            BatchTransactionTests.sample(device, at: Double(number), [.ph: Float(number)])
        }
    }

    @Test func whatIsRefusedAloneIsRejectedAndTheRestIsKept() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await store.database.sql(
                "ALTER TABLE sample ADD CONSTRAINT not_these CHECK (ph NOT IN (3, 7))", as: .owner)
            let samples = Self.samples(12, of: store.devices[0])
            let status = RecordStatuses.Status(
                slot: store.devices[0].slot, device: store.devices[0].device, online: true,
                at: BatchTransactionTests.now)
            try await store.withWriter { writer in
                let outcome = try await writer.write(
                    BatchTransaction(
                        samples: samples, statuses: [status], rejects: [BatchTransactionTests.reject("before")]),
                    carefully: false)
                #expect(outcome.refused == [samples[3].key, samples[7].key])
                #expect(outcome.stored == 10)
                #expect(samples.filter { outcome.isNew($0.key) }.count == 10)
                #expect(writer.metrics.rejects[.refused].value == 2)
            }
            #expect(try await store.count("count(*) FROM sample") == 10)
            #expect(try await store.evaluated().count == 10)
            #expect(try await store.count("count(*) FROM device_status") == 1)
            let rejects = try await store.database.sql(
                """
                SELECT reason, 1, detail LIKE '%not_these%' FROM reject
                UNION ALL SELECT reason, messages, detail LIKE '%not_these%' FROM device_reject ORDER BY 1, 2
                """)
            #expect(
                rejects == "malformed|1|f\nrefused|1|t\nrefused|1|t\nrefused|2|t",
                "the operator has each, and the owner how many")
        }
    }

    /// A derived value is computed from all parts of a moment, even if they arrive separately, and stored values stay.
    @Test func aLaterPartIsComputedWithTheStoredOne() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let device = store.devices[0]
            let expected = part([.temperature: 25, .salinity: 35, .dissolvedOxygen: 6]).readings
            @Sendable func part(_ values: [Parameter: Float]) -> Sample {
                var sample = BatchTransactionTests.sample(device, at: 0, values)
                sample.readings.derive()
                return sample
            }
            try await store.withWriter { writer in
                _ = try await writer.write(
                    BatchTransactionTests.work([part([.temperature: 25, .salinity: 35])]), carefully: false)
                // Without the stored salinity, the saturation would be computed for fresh water.
                let second = part([.temperature: 25, .dissolvedOxygen: 6])
                #expect(second.readings[.oxygenSaturation] != expected[.oxygenSaturation])
                _ = try await writer.write(BatchTransactionTests.work([second]), carefully: true)
            }
            let stored = try await store.database.sql("SELECT oxygen_saturation FROM sample")
            #expect(Float(stored) == expected[.oxygenSaturation])
            let decided = try await store.evaluated().compactMap { $0.readings[.oxygenSaturation] }
            #expect(decided == [expected[.oxygenSaturation]])
        }
    }

    /// A value that a device sends itself is kept, and not computed again.
    @Test func whatADeviceSendsIsNotComputed() {
        let stored = Readings([.temperature: 25, .salinity: 35])
        var sent = Readings([.dissolvedOxygen: 6, .oxygenSaturation: 50])
        sent.derive(with: stored)
        #expect(sent[.oxygenSaturation] == 50)
        var whole = Readings([.temperature: 25, .dissolvedOxygen: 6, .oxygenSaturation: 50])
        whole.derive(with: stored)
        #expect(whole[.oxygenSaturation] == 50)
        var known = Readings([.dissolvedOxygen: 6])
        known.derive(with: Readings([.temperature: 25, .oxygenSaturation: 70]))
        #expect(known[.oxygenSaturation] == nil, "what is stored stays")
    }

    /// Messages have to come again when the fault is not in their values: none of them is dropped.
    @Test(arguments: [
        "REVOKE INSERT ON sample FROM aqua_ingestor", "REVOKE INSERT ON evaluation_batch FROM aqua_ingestor",
        "ALTER TABLE evaluation_batch RENAME TO gone",
    ])
    func aFaultOfTheDatabaseRejectsNothing(_ fault: String) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await store.database.sql(fault)
            try await store.withWriter { writer in
                for carefully in [false, true] {
                    await #expect(throws: PostgresError.self) {
                        _ = try await writer.write(
                            BatchTransactionTests.work(Self.samples(4, of: store.devices[0])), carefully: carefully)
                    }
                }
            }
            #expect(try await store.count("count(*) FROM sample") == 0)
            #expect(try await store.count("count(*) FROM reject") == 0)
        }
    }

    /// The retention has changed since it was read: the day of a reading is no longer kept.
    @Test(arguments: [-400, 30]) func aReadingWhosePartitionCannotBeHoldsNobodyUp(days: Double) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let others = Self.samples(3, of: store.devices[0])
            let sample = BatchTransactionTests.sample(store.devices[0], at: days * 86_400)
            try await store.withWriter { writer in
                let outcome = try await writer.write(BatchTransactionTests.work([sample] + others), carefully: false)
                #expect(outcome.refused == [sample.key] && outcome.stored == 3)
            }
            #expect(try await store.count("count(*) FROM reject WHERE reason = 'refused'") == 1)
        }
    }

    @Test func aConnectionThatBreaksBeforeTheCommitLosesNothing() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            // The first transaction to arrive is aborted; a sequence remembers that across the rollback.
            try await store.database.sql(
                """
                CREATE SEQUENCE arrivals;
                CREATE FUNCTION break_the_first() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                BEGIN
                    IF nextval('arrivals') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER break_the_first AFTER INSERT ON evaluation_batch
                    FOR EACH ROW EXECUTE FUNCTION break_the_first();
                """)
            let samples = Self.samples(5, of: store.devices[0])
            try await store.withWriter { writer in
                let outcome = try await writer.write(BatchTransactionTests.work(samples), carefully: false)
                #expect(outcome.stored == 5)
            }
            #expect(try await store.count("last_value FROM arrivals") == 2)
            #expect(try await store.evaluated() == samples.map(BatchTransactionTests.message))
        }
    }

    @Test func aDeviceThatWasAddedThisMomentIsHeard() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let heard = SharedDeviceRegistry()
            let messages: [MQTTMessage] = [
                .of(#"{"ph":7}"#), .of("late", #"{"ph":7}"#), .of("{}"), .init(topic: "x", payload: []),
            ]
            try await store.withWriter { writer in
                try await writer.findDevices(of: messages, now: .noon, heard)
                heard.registry.withLock { registry in
                    let key = registry.withDevice("tank-1") { $0.key }
                    #expect(key == store.devices[0])
                    #expect(registry.count == 1)
                }
                let added = try await StoreFixture.addDevice("late", store.owner)
                try await writer.findDevices(of: messages, now: .noon, heard)
                let key = heard.registry.withLock { $0.withDevice("late") { $0.key } }
                #expect(key == added)
            }
        }
    }

    /// A lane with a new registry has heard of no other probe, and takes over a choice all the same.
    @Test func aChoiceTakesEffectInEveryLane() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let device = store.devices[0]
            let (former, chosen) = (try #require(ProbeID("AA01")), try #require(ProbeID("AA02")))
            try await store.owner.perform(ChooseProbe(former, of: device))
            let heard = SharedDeviceRegistry()
            @Sendable func probe() -> ProbeID? {
                heard.registry.withLock { registry in registry.withDevice("tank-1") { $0.probe } ?? nil }
            }
            // Later than any search that finding devices makes meanwhile.
            let begin = ContinuousClock.now + .seconds(3_600)
            try await store.withWriter { writer in
                try await writer.findChoices(now: begin, heard)
                try await writer.findDevices(of: [.of("{}")], now: .now, heard)
                #expect(probe() == former)
                try await store.owner.perform(ChooseProbe(chosen, of: device))
                try await writer.findChoices(now: begin + .seconds(19), heard)
                #expect(probe() == former)
                try await writer.findChoices(now: begin + .seconds(20), heard)
                #expect(probe() == chosen)
                try await store.database.sql("UPDATE temperature_probe SET chosen_at = now() - interval '2 minutes'")
                try await store.database.sql("UPDATE temperature_probe SET probe_id = 'AA03'")
                try await writer.findChoices(now: begin + .seconds(40), heard)
                #expect(probe() == chosen, "long known")
                try await writer.findChoices(now: begin + .seconds(240), heard)
                #expect(probe() == ProbeID("AA03"), "nothing came for a while")
            }
        }
    }

    /// The readings are stored before the note is tried, and nobody waits long for it.
    @Test func aNoteOfProbesThatCannotBeWrittenIsGivenUp() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let probe = try #require(ProbeID("AA02"))
            let note = ReportedProbe(device: store.devices[0], probe: probe, temperature: 19, at: .now)
            let other = try await PostgresConnection.connect(StoreFixture.configuration(store.database, .owner))
            try await store.withWriter { writer in
                try await other.executeScript("BEGIN; LOCK TABLE reported_probe")
                await writer.note([note])
                try await other.executeScript("COMMIT")
                #expect(try await store.count("count(*) FROM reported_probe") == 0)
                await writer.note([note])
                #expect(try await store.count("count(*) FROM reported_probe") == 1)
            }
            await other.close()
        }
    }

    /// Derived values are stored, evaluated and rolled up like measured ones.
    @Test func derivedValuesGoTheWayOfAll() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let now = Timestamp.now
            let heard = SharedDeviceRegistry()
            try await fixture.store.withWriter { writer in
                try await writer.findDevices(of: [.of("{}")], now: now, heard)
            }
            var registry = heard.registry.withLock { $0 }
            var batch = IngestBatch(receivedAt: now)
            let time = now.microseconds / 1_000_000 - 7_200
            batch.add(
                .of(#"{"time":\#(time),"temperature":20,"dissolved_oxygen":8,"ammonia":1,"ph":7,"alkalinity":70}"#),
                &registry)
            batch.close()
            let written = batch
            try await fixture.store.withWriter { writer in
                let outcome = try await writer.write(written)
                #expect(outcome.stored == 1)
                let repeated = try await writer.write(written)
                #expect(repeated.stored == 0)
            }
            let columns = ["oxygen_saturation", "free_ammonia", "carbon_dioxide"]
            func rounded(_ suffix: String) -> String {
                columns.map { "round(\($0)\(suffix)::numeric, 3)" }.joined(separator: ", ")
            }
            let computed = "87.985|0.004|11.766"
            #expect(
                try await fixture.store.database.sql("SELECT \(rounded("")) FROM sample WHERE orp IS NULL") == computed)
            let decided = try #require(try await fixture.store.evaluated().first)
            #expect(decided.readings == written.samples[0].readings)
            #expect(decided.readings[.freeAmmonia] != nil)
            try await fixture.rollUp()
            #expect(try await fixture.store.database.sql("SELECT \(rounded("_max")) FROM sample_hour") == computed)
        }
    }

    /// A device's memory of months: each day gets its partition, everything is rolled up, nothing is evaluated.
    @Test func historyIsStoredAndRolledUpAndAlertsNobody() async throws {
        try await UpkeepFixture.with(devices: ["tank-1"]) { fixture in
            let now = Timestamp.now
            let heard = SharedDeviceRegistry()
            try await fixture.store.withWriter { writer in
                try await writer.findDevices(of: [.of("{}")], now: now, heard)
            }
            var registry = heard.registry.withLock { $0 }
            var batch = IngestBatch(receivedAt: now, history: .seconds(89 * 86_400))
            for days in [1, 8, 30, 88, 90] {
                let time = (now.microseconds - Int64(days) * 86_400_000_000) / 1_000_000
                batch.add(.of(#"{"time":\#(time),"ph":7}"#), &registry)
            }
            #expect(batch.rejectCounts == [.tooOld: 1])
            batch.close()
            let written = batch
            try await fixture.store.withWriter { writer in
                let outcome = try await writer.write(written)
                #expect(outcome.stored == 4)
                let repeated = try await writer.write(written)
                #expect(repeated.stored == 0)
            }
            #expect(try await fixture.store.count("count(*) FROM sample WHERE flags = 2") == 3)
            #expect(try await fixture.store.evaluated().count == 1, "that of yesterday")
            try await fixture.rollUp()
            let sums = try await fixture.rolledUpHours().values.map(\.count)
            #expect(sums == [1, 1, 1, 1])
            #expect(try await fixture.store.count("count(*) FROM rollup_due") == 0)
        }
    }
}

/// Tests that stop or change the server, so each has a server of its own.
@Suite struct OutageTests {
    @Test func aDatabaseThatIsAwayDelaysAndLosesNothing() async throws {
        try await TestCluster.with { cluster in
            try await StoreFixture.with(cluster, devices: ["tank-1"]) { store in
                let samples = (0..<3).map { BatchTransactionTests.sample(store.devices[0], at: Double($0)) }
                try await store.withWriter { writer in
                    _ = try await writer.write(BatchTransactionTests.work([samples[0]]), carefully: false)
                    await store.owner.close()
                    try await cluster.halt(.database)
                    async let written = writer.write(BatchTransactionTests.work(samples), carefully: false)
                    try await cluster.resume(.database)
                    #expect(try await written.newKeys == Set(samples[1...].map(\.key)))
                }
                #expect(try await store.count("count(*) FROM sample") == 3)
            }
        }
    }

    /// Commits as the owner until a commit waits for the standby, which happens only once the checkpointer has noticed
    /// the setting. Cancel the returned task.
    private static func commitUntilOneWaits(_ store: StoreFixture) async throws -> Task<Void, any Error> {
        let owner = try await PostgresConnection.connect(StoreFixture.configuration(store.database, .owner))
        let commits = Task {
            while !Task.isCancelled {
                try await owner.executeScript(
                    "SET synchronous_commit = on; CREATE TABLE IF NOT EXISTS probe (); INSERT INTO probe DEFAULT VALUES"
                )
            }
        }
        try await store.await(
            "EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'aqua_owner' AND wait_event = 'SyncRep')")
        return commits
    }

    /// The server has committed but the answer never comes: it waits for a standby that does not exist, and is stopped.
    @Test func aCommitThatEndsInTheDarkStoresNothingTwice() async throws {
        try await TestCluster.with { cluster in
            try await StoreFixture.with(cluster, devices: ["tank-1"]) { store in
                try await store.database.sql(
                    "ALTER ROLE aqua_ingestor IN DATABASE \(store.database.name) SET synchronous_commit = on")
                let device = store.devices[0]
                let samples = [
                    BatchTransactionTests.sample(device, at: 0),
                    BatchTransactionTests.sample(device, at: 1, flags: .timedByReceipt),
                    BatchTransactionTests.sample(device, at: 1.000001, flags: .timedByReceipt, [.ph: 8]),
                ]
                try await store.withWriter { writer in
                    // Another message has the microsecond already, so ours has to move.
                    let theirs = BatchTransactionTests.sample(device, at: 1, flags: .timedByReceipt, [.ph: 6])
                    _ = try await writer.write(BatchTransactionTests.work([theirs]), carefully: false)
                    try await store.database.sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                    try await store.database.sql("SELECT pg_reload_conf()")
                    let commits = try await Self.commitUntilOneWaits(store)
                    async let outcome = writer.write(BatchTransactionTests.work(samples), carefully: false)
                    let waiting = "FROM pg_stat_activity WHERE usename = 'aqua_ingestor' AND wait_event = 'SyncRep'"
                    try await store.await("EXISTS (SELECT \(waiting))")
                    try await store.database.sql("SELECT pg_terminate_backend(pid) \(waiting)")
                    try await store.database.sql("ALTER SYSTEM RESET synchronous_standby_names")
                    try await store.database.sql("SELECT pg_reload_conf()")
                    commits.cancel()
                    _ = try? await commits.value
                    let written = try await outcome
                    #expect(written.stored == 0, "the first attempt had stored everything")
                    #expect(samples[1...].allSatisfy { written.isNew($0.key) })
                }
                let values = try await store.database.sql(
                    "SELECT string_agg(ph::text, ' ' ORDER BY event_time) FROM sample")
                #expect(values == "7.9 6 8 7.9")
                #expect(try await store.evaluated().count == 4)
            }
        }
    }
}
