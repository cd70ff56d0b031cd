import Instants
import MQTT
import Store
import Synchronization
import TestSupport
import Testing

@testable import Ingestor
@testable import WaterQuality

/// Derived parameters of devices that send one value a message.
@Suite struct SeparateInputsTests {
    /// A device whose last samples were looked up, and its messages.
    private struct Course {
        var registry: DeviceRegistry
        var samples: [Sample] = []
        private let start: Timestamp

        init(recalling rows: [FindLastSamples.Row] = [], from start: Timestamp = .noon) throws {
            registry = try DeviceRegistry(knowing: ["tank-1"], now: start)
            self.start = start
            registry.recall(
                registry.devicesToRecall(among: [try #require(Topic("aqua/v1/tank-1/sensor/ph/state"))], now: start),
                rows, now: start)
        }

        mutating func send(_ messages: [MQTTMessage], after seconds: Double) {
            var batch = IngestBatch(receivedAt: start + .milliseconds(Int64(seconds * 1_000)), history: .seconds(1e6))
            for message in messages { batch.add(message, &registry) }
            batch.close()
            samples += batch.samples
        }

        mutating func send(_ parameter: Parameter, _ value: Float, after seconds: Double) {
            send([.sensor(parameter, "\(value)")], after: seconds)
        }

        func values(of parameter: Parameter) -> [Float?] { samples.map { $0.readings[parameter] } }
    }

    private static let saturation = Readings([.temperature: 24.5, .dissolvedOxygen: 8.1]).derived[.oxygenSaturation]

    /// Two ESPHome sensors, 40 ms apart, in one batch or in two.
    @Test(arguments: [true, false]) func inputsOfTwoTopicsGiveTheValue(together: Bool) throws {
        var course = try Course()
        let messages = [MQTTMessage.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1")]
        if together {
            course.send(messages, after: 0)
        } else {
            for (index, message) in messages.enumerated() { course.send([message], after: Double(index) * 0.04) }
        }
        #expect(course.values(of: .oxygenSaturation) == [nil, Self.saturation])
        #expect(try abs(#require(Self.saturation) - 97) < 1)
        #expect(course.samples.map(\.flags.derivedApart) == [[], DerivationSet(index: 0)])
        #expect(course.values(of: .temperature) == [24.5, nil], "an input is stored where it was measured alone")
    }

    @Test func reefPiHasThemToo() throws {
        var course = try Course()
        course.send([.of("24.500000", subject: "reef-pi/temperature_reading")], after: 0)
        course.send([.of("7.000000", subject: "reef-pi/ph_water")], after: 1)
        course.send(.ammonia, 1, after: 2)
        let whole = Readings([.temperature: 24.5, .ph: 7, .ammonia: 1]).derived
        #expect(course.values(of: .freeAmmonia) == [nil, nil, whole[.freeAmmonia]])
    }

    @Test(arguments: [(120.0, true), (120.001, false)])
    func twoMinutesApartAtMost(seconds: Double, counts: Bool) throws {
        var course = try Course()
        course.send(.temperature, 24.5, after: 0)
        course.send(.dissolvedOxygen, 8.1, after: seconds)
        #expect(course.values(of: .oxygenSaturation).last == .some(counts ? Self.saturation : nil))
    }

    /// A bad value must not be confirmed by deriving from it again with the next temperature.
    @Test func eachInputCountsOnce() throws {
        var course = try Course()
        for round in 0..<3 {
            course.send(.temperature, 24.5, after: Double(round) * 60)
            course.send(.dissolvedOxygen, 8.1, after: Double(round) * 60 + 0.04)
        }
        let saturation = Self.saturation
        #expect(course.values(of: .oxygenSaturation) == [nil, saturation, nil, saturation, nil, saturation])
    }

    /// Even if the device's own value arrives after the inputs.
    @Test func whatTheDeviceSendsIsNotComputedBesideIt() throws {
        var course = try Course()
        course.send(
            [.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1"), .sensor(.oxygenSaturation, "90")],
            after: 0)
        course.send([.sensor(.temperature, "24.6"), .sensor(.dissolvedOxygen, "8.2")], after: 60)
        course.send([.sensor(.temperature, "24.6"), .sensor(.dissolvedOxygen, "8.2")], after: 86_000)
        #expect(course.values(of: .oxygenSaturation) == [nil, nil, 90, nil, nil, nil, nil])
        course.send([.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1")], after: 86_401)
        #expect(course.values(of: .oxygenSaturation).last == Self.saturation, "it has stopped for a day")
    }

    @Test func saltCountsWhileItIsFresh() throws {
        var course = try Course()
        course.send(.salinity, 35, after: 0)
        course.send([.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1")], after: 100)
        let salt = Readings([.temperature: 24.5, .dissolvedOxygen: 8.1, .salinity: 35]).derived[.oxygenSaturation]
        #expect(course.values(of: .oxygenSaturation).last == salt)
        course.send([.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1")], after: 160)
        #expect(course.values(of: .oxygenSaturation).last == .some(nil), "not as if the water were fresh")
    }

    /// The moment of a message is unknown if the broker kept it, or the clock was never set.
    @Test func whatIsOfNoKnownMomentCountsForNothing() throws {
        var course = try Course()
        course.send([.of("24.5", subject: "sensor/temperature/state", retain: true)], after: 0)
        course.send(.dissolvedOxygen, 8.1, after: 1)
        course.send([.of(#"{"time":35,"temperature":24.5}"#)], after: 2)
        course.send([.of("8.2", subject: "sensor/dissolved_oxygen/state", isRedelivery: true)], after: 3)
        #expect(course.values(of: .oxygenSaturation) == [nil, nil, nil, nil])
    }

    /// Messages of a backlog count at their own times, whatever came before.
    @Test func aBacklogCountsAtItsTimes() throws {
        func message(_ parameter: Parameter, _ value: Float, ago seconds: Int) -> MQTTMessage {
            let time = Timestamp.noon.microseconds / 1_000_000 - Int64(seconds)
            return .of(#"{"time":\#(time),"\#(parameter.name)":\#(value)}"#)
        }
        var course = try Course()
        course.send([message(.temperature, 24.5, ago: 60)], after: 0)
        course.send([message(.dissolvedOxygen, 5, ago: 300)], after: 0)
        course.send([message(.dissolvedOxygen, 8.1, ago: 30)], after: 0)
        course.send([message(.dissolvedOxygen, 8.1, ago: 30)], after: 0)
        #expect(course.values(of: .oxygenSaturation) == [nil, nil, Self.saturation, nil])
    }

    @Test func aBrokenProbeLeavesNothingToCountOn() throws {
        var course = try Course()
        course.send(.temperature, 24.5, after: 0)
        course.send([.sensor(.temperature, "nan")], after: 30)
        course.send(.dissolvedOxygen, 8.1, after: 31)
        #expect(course.values(of: .oxygenSaturation).last == .some(nil))
    }

    /// Deleted inputs count no more, and what is left is read anew before anything is computed.
    @Test func whatWasDeletedCountsForNothing() throws {
        var course = try Course()
        let topic = try #require(Topic("aqua/v1/tank-1/sensor/ph/state"))
        func due(after seconds: Int) -> [DeviceKey] {
            course.registry.devicesToRecall(among: [topic], now: .noon + .seconds(seconds))
        }
        let log = DeletionLog()
        course.registry.forgetDeleted(log)
        course.send(.temperature, 99, after: 0)
        log.note(Device.ID(rawValue: 2))
        course.registry.forgetDeleted(log)
        #expect(due(after: 1).isEmpty, "another device's")
        log.note(Device.ID(rawValue: 1))
        course.registry.forgetDeleted(log)
        let asked = due(after: 1)
        #expect(asked.count == 1)
        course.registry.recall(asked, [], now: .noon + .seconds(1))
        course.send(.dissolvedOxygen, 8.1, after: 2)
        #expect(course.values(of: .oxygenSaturation) == [nil, nil])
        // What was heard since counts.
        course.registry.forgetDeleted(log)
        course.send(.temperature, 24.5, after: 3)
        #expect(course.values(of: .oxygenSaturation).last == Self.saturation)
        // Of all devices, where nobody knows which.
        course.send(.temperature, 99, after: 60)
        log.noteAll()
        course.registry.forgetDeleted(log)
        #expect(due(after: 61).count == 1)
    }

    @Test func anotherProbeMeasuresOtherWater() throws {
        var course = try Course()
        let key = DeviceKey(slot: Slot(of: try #require(Device.HardwareID("tank-1"))), device: Device.ID(rawValue: 1))
        course.registry.choose(ProbeID("AA01"), of: key)
        course.send(.temperature, 24.5, after: 0)
        course.registry.choose(ProbeID("AA02"), of: key)
        course.send(.dissolvedOxygen, 8.1, after: 1)
        #expect(course.values(of: .oxygenSaturation) == [nil, nil])
    }

    /// A device that sends everything at once is not looked up; one that sends parts is, before anything is computed.
    @Test func onlyWhoSendsPartsIsLookedUp() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let topic = try #require(Topic("aqua/v1/tank-1/readings"))
        func send(_ payload: String, after seconds: Int) -> [Sample] {
            var batch = IngestBatch(receivedAt: .noon + .seconds(seconds))
            batch.add(.of(payload), &registry)
            batch.close()
            return batch.samples
        }
        func isDue(after seconds: Int) -> Bool {
            !registry.devicesToRecall(among: [topic], now: .noon + .seconds(seconds)).isEmpty
        }
        for second in 0..<5 {
            _ = send(#"{"temperature":24.5,"dissolved_oxygen":8.1,"ph":7.\#(second)}"#, after: second)
            #expect(!isDue(after: second))
        }
        let parts = send(#"{"ammonia":1}"#, after: 6)
        #expect(parts[0].readings[.freeAmmonia] == nil && isDue(after: 6))
        let key = parts[0].key.owner
        registry.recall([key], [], now: .noon + .seconds(7))
        #expect(!isDue(after: 8))
        #expect(send(#"{"ammonia":1.1}"#, after: 9)[0].readings[.freeAmmonia] != nil)
        #expect(!isDue(after: 80), "nothing is missing")
        _ = send(#"{"ammonia":1.2}"#, after: 600)
        #expect(isDue(after: 600), "another Ingestor may have heard the rest")
    }

    /// After a start stored values count, and computed values are told from sent ones.
    @Test(arguments: [true, false]) func whatIsStoredCounts(sent: Bool) async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            let now = Timestamp.now
            let rounds = [
                [MQTTMessage.sensor(.temperature, "24.5"), .sensor(.dissolvedOxygen, "8.1")]
                    + (sent ? [.sensor(.oxygenSaturation, "90")] : []),
                [.sensor(.temperature, "24.5")], [.sensor(.dissolvedOxygen, "8.1")],
            ]
            try await store.withWriter { writer in
                for (index, messages) in rounds.enumerated() {
                    // The registry is as empty as after a start.
                    let heard = SharedDeviceRegistry()
                    let time = now + .seconds(index * 30)
                    try await writer.findDevices(of: messages, now: time, heard)
                    let batch = heard.registry.withLock { registry in
                        var batch = IngestBatch(receivedAt: time)
                        for message in messages { batch.add(message, &registry) }
                        batch.close()
                        return batch
                    }
                    _ = try await writer.write(batch)
                }
            }
            let stored = try await store.database.sql(
                "SELECT round(oxygen_saturation::numeric), flags FROM sample WHERE oxygen_saturation IS NOT NULL")
            #expect(stored == (sent ? "90|1" : "97|9\n97|9"))
        }
    }

    /// A lane computes nothing with what was deleted before its batch.
    @Test func aLaneForgetsWhatWasDeleted() async throws {
        try await StoreFixture.with(devices: ["tank-1"]) { store in
            try await store.withWriter { writer in
                let log = DeletionLog()
                let lane = Lane(
                    writer: writer, metrics: writer.metrics, clock: .system, clockState: ClockWatch.State(),
                    deletions: log, logger: writer.logger)
                let heard = SharedDeviceRegistry()
                func computed(with parameter: Parameter, _ value: String) async throws -> Int {
                    _ = try await lane.store([.sensor(parameter, value)], heard)
                    return try await store.count("count(oxygen_saturation) FROM sample")
                }
                #expect(try await computed(with: .temperature, "99") == 0)
                try await store.database.sql("UPDATE sample SET temperature = NULL, deleted = 1")
                log.note(store.devices[0].device)
                #expect(try await computed(with: .dissolvedOxygen, "8.1") == 0)
                #expect(try await computed(with: .temperature, "24.5") == 1)
            }
        }
    }

    // MARK: Any course

    /// Compares with a model that searches all messages again for each value.
    @Test(arguments: 0..<40) func anyCourseIsAsTheModelSays(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var course = try Course()
        var second = 0.0
        let sends = Int.random(in: 0..<3, using: &random) == 0 ? [Parameter.oxygenSaturation] : []
        let parameters: [Parameter] =
            [.temperature, .ph, .dissolvedOxygen, .ammonia, .alkalinity, .salinity].shuffled(using: &random).dropLast(2)
            + sends
        var model: [(at: Timestamp, sent: Readings, derived: Readings)] = []
        for number in 0..<120 {
            second += Double.random(in: 0...70, using: &random)
            let parameter = parameters[Int.random(in: 0..<parameters.count, using: &random)]
            let value = Float(6) + Float(number % 17) / 10
            course.send(parameter, value, after: second)
            guard course.samples.count == model.count + 1, let sample = course.samples.last else { continue }
            let sent = Readings([parameter: value])
            let expected = Self.expected(sent, at: sample.eventTime, after: model)
            model.append((sample.eventTime, sent, expected))
            for derivation in Derivation.all where sent[derivation.parameter] == nil {
                #expect(sample.readings[derivation.parameter] == expected[derivation.parameter])
            }
        }
        #expect(model.count > 100)
    }

    private static func expected(
        _ sent: Readings, at now: Timestamp, after model: [(at: Timestamp, sent: Readings, derived: Readings)]
    ) -> Readings {
        func last(_ parameter: Parameter, _ age: Duration) -> (at: Timestamp, value: Float)? {
            model.last { $0.sent[parameter] != nil && now - $0.at <= age }
                .flatMap { row in row.sent[parameter].map { (row.at, $0) } }
        }
        var derived = Readings()
        for derivation in Derivation.all where derivation.inputs.contains(where: { sent[$0] != nil }) {
            guard last(derivation.parameter, .seconds(86_400)) == nil else { continue }
            let former = model.last { $0.derived[derivation.parameter] != nil }?.at
            var all = sent
            for input in derivation.inputs where sent[input] == nil {
                guard let (at, value) = last(input, .seconds(120)), former.map({ at > $0 }) ?? true else { continue }
                all[input] = value
            }
            if let salt = last(.salinity, .seconds(86_400)) {
                guard now - salt.at <= .seconds(120) else { continue }
                all[.salinity] = salt.value
            }
            derived[derivation.parameter] = all.derived[derivation.parameter]
        }
        return derived
    }
}

extension MQTTMessage {
    fileprivate static func sensor(_ parameter: Parameter, _ text: String) -> MQTTMessage {
        .of(text, subject: "sensor/\(parameter.name)/state")
    }
}

extension Readings {
    fileprivate var derived: Readings {
        var readings = self
        readings.derive()
        return readings
    }
}
