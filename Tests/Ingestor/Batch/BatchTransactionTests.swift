import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// One transaction of a batch, with the Ingestor's own rights.
@Suite struct BatchTransactionTests {
    static let now = Timestamp.now

    static func sample(
        _ device: DeviceKey, at seconds: Double, flags: Sample.Flags = [], _ values: [Parameter: Float] = [.ph: 7.9],
        brokenProbes: ParameterSet = []
    ) -> Sample {
        let time = now + .microseconds(Int64((seconds * 1_000_000).rounded()))
        var sample = Sample(
            slot: device.slot, device: device.device,
            at: EventTime(device: flags.contains(.timedByReceipt) ? nil : time, receipt: time),
            receivedAt: now, readings: Readings(values), brokenProbes: brokenProbes)
        sample.flags = flags
        return sample
    }

    static func work(
        _ samples: [Sample], statuses: [RecordStatuses.Status] = [], rejects: [RecordRejects.Reject] = []
    ) -> BatchTransaction {
        BatchTransaction(samples: samples, statuses: statuses, rejects: rejects)
    }

    static func reject(_ detail: String) -> RecordRejects.Reject {
        RecordRejects.Reject(receivedAt: now, topic: "t", reason: "malformed", detail: detail, payload: [0, 1, 2])
    }

    static func message(_ sample: Sample) -> EvaluationBatch.Message {
        EvaluationBatch.Message(
            device: sample.device, time: sample.eventTime, readings: sample.readings, brokenProbes: sample.brokenProbes)
    }

    @Test func aParameterThatComesLaterIsAddedToItsMomentOnce() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let first = Self.sample(store.devices[0], at: 1, [.temperature: 24])
            let second = Self.sample(store.devices[0], at: 1, [.temperature: 99, .ph: 4.1])
            try await store.withWriter { writer in
                _ = try await writer.write(Self.work([first]), carefully: false)
                #expect(try await writer.write(Self.work([second]), carefully: true).stored == 1)
                #expect(try await writer.write(Self.work([second]), carefully: true).stored == 0)
            }
            #expect(try await store.database.sql("SELECT temperature, ph FROM sample") == "24|4.1")
            #expect(try await store.database.sql("SELECT sum(messages) FROM evaluation_batch") == "2")
        }
    }

    /// Rows stored by an earlier attempt, whose outcome is unknown, may be on one server only: nothing is acknowledged
    /// before the standby has them.
    @Test(.timeLimit(.minutes(10))) func aRepetitionWaitsForTheStandbyToo() async throws {
        try await TestCluster.with(.full) { cluster in
            try await StoreFixture.with(cluster, devices: ["tank-1"]) { store in
                try await TestStandby.with(of: cluster, isSynchronous: true) { standby in
                    let samples = [Self.sample(store.devices[0], at: 1)]
                    try await store.withWriter { writer in
                        _ = try await writer.write(Self.work(samples), carefully: false)
                        standby.freeze()
                        async let repetition = writer.write(Self.work(samples), carefully: true)
                        try await awaitFact("a commit that waits") { [database = store.database] in
                            try await database.sql(
                                "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'aqua_ingestor'"
                            )
                                == "1" ? true : nil
                        }
                        standby.thaw()
                        #expect(try await repetition.stored == 0)
                    }
                }
            }
        }
    }

    /// A broken probe leaves no sample, and engines hear of it in order, on either path.
    @Test(arguments: [false, true]) func brokenProbesLeaveNoSample(carefully: Bool) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let broken = Self.sample(store.devices[0], at: 1, [:], brokenProbes: ParameterSet(.temperature))
            let part = Self.sample(store.devices[0], at: 2, brokenProbes: ParameterSet(.salinity))
            let samples = [broken, part]
            try await store.withWriter { writer in
                let outcome = try await writer.write(Self.work(samples), carefully: carefully)
                #expect(outcome.stored == 1)
                #expect(try await writer.write(Self.work([broken]), carefully: carefully).stored == 0)
                // When the work is repeated, stored messages are not evaluated again, and unstored ones are evaluated
                // again at their own time.
                #expect(try await writer.write(Self.work(samples), carefully: true).stored == 0)
            }
            #expect(try await store.database.sql("SELECT ph FROM sample") == "7.9")
            let expected = [broken, part, broken, broken].map { Self.message($0) }
            #expect(try await store.evaluated() == expected)
        }
    }

    @Test func whatIsNewIsCopiedAndHandedToTheEngines() async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            let all = Dictionary(uniqueKeysWithValues: Parameter.allCases.map { ($0, Float($0.rawValue) + 0.5) })
            let samples = [
                Self.sample(store.devices[0], at: 1, all), Self.sample(store.devices[1], at: 1, flags: .timedByReceipt),
                Self.sample(store.devices[0], at: 2, [.salinity: 3]),
                Self.sample(store.devices[1], at: 2, flags: [.timedByReceipt, .notEvaluated]),
            ]
            try await store.withWriter { writer in
                let outcome = try await writer.write(
                    Self.work(
                        samples,
                        statuses: [
                            .init(
                                slot: store.devices[0].slot, device: store.devices[0].device, online: true, at: Self.now
                            )
                        ],
                        rejects: [Self.reject("a"), Self.reject("b\0")]), carefully: false)
                #expect(outcome.newKeys == nil, "stored by COPY, which knows that all are new")
                #expect(outcome.stored == 4)
            }
            let row = try await store.database.sql(
                """
                SELECT flags, temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen,
                    salinity, event_time - received_at
                FROM sample WHERE device_id = \(store.devices[0].device.rawValue) ORDER BY event_time LIMIT 1
                """)
            #expect(row == "0|0.5|1.5|2.5|3.5|4.5|5.5|6.5|7.5|8.5|00:00:01")
            let expected = samples[..<3].sorted { ($0.slot, $0.eventTime) < ($1.slot, $1.eventTime) }.map(Self.message)
            #expect(try await store.evaluated() == expected)
            #expect(try await store.database.sql("SELECT online FROM device_status") == "t")
            #expect(
                try await store.database.sql("SELECT string_agg(detail, ',' ORDER BY position) FROM reject")
                    == "a,b\u{FFFD}")
        }
    }

    @Test func onlyWhatIsNewIsEvaluated() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let samples = (0..<6).map { Self.sample(store.devices[0], at: Double($0)) }
            try await store.withWriter { writer in
                _ = try await writer.write(Self.work([samples[0], samples[3]]), carefully: false)
                // Without the careful mode the COPY fails, and the careful path follows by itself.
                let outcome = try await writer.write(Self.work(samples), carefully: false)
                #expect(outcome.newKeys == Set([1, 2, 4, 5].map { samples[$0].key }))
                #expect(outcome.stored == 4)
                let again = try await writer.write(Self.work(samples), carefully: true)
                #expect(again.newKeys == [])
                #expect(again.stored == 0)
            }
            #expect(try await store.count("count(*) FROM sample") == 6)
            #expect(try await store.evaluated() == [0, 3, 1, 2, 4, 5].map { Self.message(samples[$0]) })
        }
    }

    @Test func untimedMessagesOfTwoIngestorsAreBothKept() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            func untimed(_ values: [Float]) -> BatchTransaction {
                Self.work(
                    values.enumerated().map { place, value in
                        Self.sample(
                            store.devices[0], at: Double(place) / 1_000_000, flags: .timedByReceipt, [.ph: value])
                    })
            }
            let (mine, theirs) = (untimed([7, 7.1, 7.2]), untimed([8, 8.1, 8.2]))
            try await store.withWriter { writer in
                for work in [mine, theirs] {
                    let outcome = try await writer.write(work, carefully: false)
                    #expect(outcome.stored == 3)
                    #expect(work.samples.allSatisfy { outcome.isNew($0.key) })
                }
                // The same work again, as after a commit with unknown outcome: on either path everything is stored
                // already.
                for work in [theirs, mine] {
                    let outcome = try await writer.write(work, carefully: true)
                    #expect(outcome.stored == 0)
                    #expect(
                        work.samples.allSatisfy { outcome.isNew($0.key) }, "the device is told what is true: stored")
                }
            }
            #expect(
                try await store.database.sql("SELECT string_agg(ph::text, ' ' ORDER BY ph) FROM sample")
                    == "7 7.1 7.2 8 8.1 8.2")
            #expect(Set(try await store.evaluated().map(\.readings[.ph])) == [7, 7.1, 7.2, 8, 8.1, 8.2])
        }
    }

    @Test func theEnginesHearOfTheSlots() async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2"]) { store in
            let slots = store.devices.map { "\($0.slot.rawValue)" }
            try #require(Set(slots).count == 2)
            let listener = PostgresListener(
                try StoreFixture.configuration(store.database, .rules), channels: [Channel.evaluation])
            try await listener.withEvents { events in
                var iterator = events.makeAsyncIterator()
                #expect(await iterator.next() == .mayHaveMissed)
                try await store.withWriter { writer in
                    let samples = (0..<4).map { Self.sample(store.devices[$0 % 2], at: Double($0)) }
                    _ = try await writer.write(Self.work(samples), carefully: false)
                }
                let event = await iterator.next()
                #expect(event == .notified(channel: Channel.evaluation, payload: slots.joined(separator: ",")))
            }
        }
    }

    @Test(arguments: [false, true])
    func aMissingPartitionIsMade(carefully: Bool) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let partition = try await store.database.sql(
                "SELECT 'sample_' || to_char('\(Self.now)'::timestamptz AT TIME ZONE 'UTC', 'YYYYMMDD')")
            try await store.database.sql("DROP TABLE \(partition)", as: .owner)
            try await store.withWriter { writer in
                let outcome = try await writer.write(
                    Self.work([Self.sample(store.devices[0], at: 0)]), carefully: carefully)
                #expect(outcome.stored == 1)
            }
            #expect(try await store.count("count(*) FROM \(partition)") == 1)
        }
    }

    @Test func nothingIsWrittenForNothing() async throws {
        try await StoreFixture.with { store in
            try await store.withWriter { writer in
                #expect(try await writer.write(Self.work([]), carefully: false).stored == 0)
                let outcome = try await writer.write(
                    Self.work([], rejects: [Self.reject("only this")]), carefully: false)
                #expect(outcome.stored == 0)
            }
            #expect(try await store.count("count(*) FROM reject") == 1)
            #expect(try await store.count("count(*) FROM evaluation_batch") == 0)
        }
    }
}
