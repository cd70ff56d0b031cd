import Instants
import MQTT
import Store
import Testing
import WaterQuality

@testable import Ingestor

/// The content of other firmware's messages, before anything is stored.
@Suite struct FirmwareBatchTests {
    private let water = ProbeID("00000566CC39")!

    private func batch(
        at now: Timestamp = .noon, _ messages: [MQTTMessage], _ registry: inout DeviceRegistry
    ) -> IngestBatch {
        var batch = IngestBatch(receivedAt: now, history: .seconds(29 * 86_400))
        for message in messages { batch.add(message, &registry) }
        return batch
    }

    private func batch(_ messages: [MQTTMessage]) throws -> IngestBatch {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        return batch(messages, &registry)
    }

    private static let messages = [
        MQTTMessage.of(
            #"{"Time":"2026-05-01T14:00:00","DS18B20":{"Temperature":20.6},"TempUnit":"C"}"#, subject: "tele/SENSOR"),
        .of("20.6", subject: "sensor/temperature/state"), .of("20.600000", subject: "reef-pi/temperature_reading"),
        .of(#"{"temperature":20.6}"#, subject: "zigbee2mqtt"),
        .of(#"[{"n":"temperature","u":"Cel","v":20.6}]"#, subject: "senml"),
        .of(
            #"{"method":"NotifyStatus","params":{"ts":null,"temperature:100":{"id":100,"tC":20.6}}}"#,
            subject: "shelly/events/rpc"),
        .of(#"{"id":100,"tC":20.6,"tF":69.1}"#, subject: "shelly/status/temperature:100"),
        .of(#"{"0":{"hwID":"28FF641E8216031D","tC":20.6,"tF":69.1}}"#, subject: "shelly/ext_temperatures"),
        MQTTMessage(
            topic: "v1.1/Datastreams('tank-1:temperature')/Observations", payload: Array(#"{"result":20.6}"#.utf8)),
    ]

    @Test(arguments: messages) func eachIsAReadingOfItsReceipt(_ message: MQTTMessage) throws {
        let batch = try batch([message])
        #expect(batch.samples.map(\.readings) == [Readings([.temperature: 20.6])])
        #expect(batch.samples.map(\.eventTime) == [.noon])
        #expect(batch.samples.map(\.flags) == [.timedByReceipt])
        #expect(batch.rejects.isEmpty)
    }

    /// A message that a broker kept is old, in whatever way it was kept: it neither alarms nor clears.
    @Test(arguments: messages) func whatWasKeptIsHistory(_ message: MQTTMessage) throws {
        for keep in [\MQTTMessage.retain, \.isRedelivery, \.wasKept] {
            var kept = message
            kept[keyPath: keep] = true
            #expect(try batch([kept]).samples.map(\.flags) == [[.timedByReceipt, .notEvaluated]])
        }
    }

    @Test(arguments: messages) func theSameAtOnceIsARepetition(_ message: MQTTMessage) throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let first = batch([message, message], &registry)
        #expect(first.samples.count == 1)
        #expect(first.repetitions == 1)
        #expect(batch(at: .noon + .seconds(10), [message], &registry).samples.count == 1)
    }

    /// ThingsBoard's array on the device's own topic: each moment once, at its time.
    @Test func anArrayIsAReadingOfEachMoment() throws {
        let message = MQTTMessage.of(
            #"[{"ts":1777636770000,"values":{"ph":7.9}},{"ts":1777636800000,"values":{"ph":"7.8","x":1}}]"#,
            subject: "readings")
        let batch = try batch([message, message])
        #expect(batch.samples.map(\.eventTime) == [.noon - .seconds(30), .noon])
        #expect(batch.samples.map(\.readings) == [Readings([.ph: 7.9]), Readings([.ph: 7.8])])
        #expect(batch.repetitions == 1)
        #expect(batch.rejectCounts == [.unknownParameter: 2])
        #expect(try self.batch([.of("[]", subject: "readings")]).rejectCounts == [.malformed: 1])
    }

    @Test func equalNumbersOfTwoProbesAreTwoReadings() throws {
        let batch = try batch([
            .of("7.5", subject: "sensor/ph/state"), .of("7.5", subject: "sensor/dissolved_oxygen/state"),
        ])
        #expect(batch.samples.map(\.readings) == [Readings([.ph: 7.5]), Readings([.dissolvedOxygen: 7.5])])
    }

    /// With `last_seen` Zigbee2MQTT repeats all values with every radio message.
    @Test func aSightingByRadioIsNoReading() throws {
        func seen(_ second: Int, _ temperature: Double, quality: Int) -> MQTTMessage {
            .of(
                #"{"temperature":\#(temperature),"linkquality":\#(quality),"last_seen":\#(1_777_636_800_000 + second * 1_000)}"#,
                subject: "zigbee2mqtt")
        }
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let first = batch([seen(0, 24.5, quality: 120), seen(1, 24.5, quality: 90)], &registry)
        #expect(first.samples.map(\.eventTime) == [.noon])
        #expect(first.repetitions == 1)
        let next = batch(at: .noon + .seconds(2), [seen(2, 24.6, quality: 90)], &registry)
        #expect(next.samples.map(\.readings) == [Readings([.temperature: 24.6])])
        let later = batch(at: .noon + .seconds(60), [seen(60, 24.6, quality: 90)], &registry)
        #expect(later.samples.count == 1, "still water, and heard of")
    }

    /// With both kinds of notification on, a Shelly sends each value twice: a bad reading must not confirm itself.
    @Test func theSameOnBothTopicsOfAShellyIsOneReading() throws {
        func event(_ temperature: Double, at second: Double) -> MQTTMessage {
            .of(
                #"{"method":"NotifyStatus","params":{"ts":\#(1_777_636_800 + second),"temperature:100":{"id":100,"tC":\#(temperature)}}}"#,
                subject: "shelly/events/rpc")
        }
        func status(_ temperature: Double) -> MQTTMessage {
            .of(#"{"id":100,"tC":\#(temperature),"tF":1}"#, subject: "shelly/status/temperature:100")
        }
        let batch = try batch([event(35.5, at: -2), status(35.5), event(24.5, at: 0), status(24.5)])
        #expect(batch.samples.map(\.readings) == [Readings([.temperature: 35.5]), Readings([.temperature: 24.5])])
        #expect(batch.samples.map(\.eventTime) == [.noon - .seconds(2), .noon])
        #expect(batch.repetitions == 2)
    }

    /// A notification of changes with only another probe's value is not rejected.
    @Test func aRelayIsNoReject() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let relay = MQTTMessage.of(
            #"{"method":"NotifyStatus","params":{"ts":1777636800.1,"switch:0":{"id":0,"temperature":{"tC":52.1}}}}"#,
            subject: "shelly/events/rpc", responseTopic: "aqua/v1/tank-1/ack")
        let (water, other) = (
            MQTTMessage.of(#"{"id":100,"tC":24.5}"#, subject: "shelly/status/temperature:100"),
            MQTTMessage.of(#"{"id":101,"tC":19.5}"#, subject: "shelly/status/temperature:101")
        )
        let batch = batch([relay, water, other], &registry)
        #expect(batch.samples.map(\.readings) == [Readings([.temperature: 24.5])])
        #expect(batch.rejects.isEmpty && batch.receipts.isEmpty)
        #expect(Array(batch.probes.values) == [ProbeID("100")])
        #expect(noted(batch) == ["101 19.5"])
    }

    @Test func anUptimeIsNoTime() throws {
        let batch = try batch([
            .of(
                #"{"Time":"1970-01-01T00:00:35","Epoch":35,"DS18B20":{"Temperature":20.6},"TempUnit":"C"}"#,
                subject: "tele/SENSOR"),
            .of(#"[{"n":"ph","t":35,"v":7.5}]"#, subject: "senml"),
        ])
        #expect(batch.samples.map(\.eventTime) == [.noon, .noon + .microseconds(1)])
        #expect(batch.samples.map(\.flags) == [[.timedByReceipt, .implausibleTime], .timedByReceipt])
        #expect(batch.implausibleTimes == 1)
    }

    // MARK: Packs

    @Test func aPackIsOneReadingForEachMoment() throws {
        let message = MQTTMessage.of(
            #"""
            [{"n":"ph","t":-864000,"v":7.0},{"n":"ph","t":-9e6,"v":7.0},{"n":"ph","t":-60,"v":7.1},
             {"n":"ph","v":7.2},{"n":"temperature","u":"Cel","v":21}]
            """#, subject: "senml", responseTopic: "aqua/v1/tank-1/ack", correlationData: [1])
        let batch = try batch([message])
        #expect(batch.samples.map(\.eventTime) == [.noon - .seconds(864_000), .noon - .seconds(60), .noon])
        #expect(batch.samples.map(\.flags) == [[.timedByReceipt, .notEvaluated], .timedByReceipt, .timedByReceipt])
        #expect(batch.samples.last?.readings == Readings([.ph: 7.2, .temperature: 21]))
        #expect(batch.rejectCounts == [.tooOld: 1])
        let answers = batch.receipts.map {
            String(decoding: $0.message(after: .init(newKeys: nil, stored: 3)).payload, as: UTF8.self)
        }
        #expect(answers == [#"{"status":"stored"}"#], "one message, one receipt")
    }

    /// A pack may repeat what was sent before: only the database knows.
    @Test func whatAPackAddsToThePastMayBeStored() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let pack = #"[{"bt":1777636740,"n":"ph","v":7.1},{"n":"ph","t":30,"v":7.2}]"#
        let first = batch([.of(pack, subject: "senml")], &registry)
        #expect(first.samples.map(\.eventTime) == [.noon - .seconds(60), .noon - .seconds(30)])
        #expect(!first.mayRepeat)
        #expect(batch(at: .noon + .seconds(20), [.of(pack, subject: "senml")], &registry).mayRepeat)
    }

    /// A pack is one message, but each of its moments counts against the flood limit.
    @Test func packsDoNotGetAroundTheBucket() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let records = (1...100).map { #"{"n":"ph","t":-\#($0),"v":7}"# }.joined(separator: ",")
        let messages = (0..<300).map { MQTTMessage.of(#"[{"n":"ph","v":\#($0)},\#(records)]"#, subject: "senml") }
        let batch = batch(messages, &registry)
        #expect(batch.samples.count <= Int(Bucket.capacity))
        #expect((batch.rejectCounts[.flood] ?? 0) > 0)
    }

    // MARK: Probes

    private func report(_ probes: (String, Double)...) -> MQTTMessage {
        let members = probes.enumerated().map { #""DS18B20-\#($0 + 1)":{"Id":"\#($1.0)","Temperature":\#($1.1)}"# }
        return .of("{\(members.joined(separator: ",")),\"TempUnit\":\"C\"}", subject: "tele/SENSOR")
    }

    private let room = ProbeID("0000059352D4")!

    /// A device whose probe the database knows.
    private func row(_ probe: ProbeID) throws -> FindDevices.Row {
        FindDevices.Row(
            hardwareID: "tank-1", slot: Slot(of: try #require(Device.HardwareID("tank-1"))),
            device: Device.ID(rawValue: 1), probe: probe)
    }

    private func noted(_ batch: IngestBatch) -> [String] {
        batch.probeReports.map { "\($0.probe) \($0.temperature.map { "\($0)" } ?? "-")" }.sorted()
    }

    @Test func theFirstProbeIsNotedOnceAndKept() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let first = batch([report(("00000566CC39", 23), ("0000059352D4", 19))], &registry)
        #expect(Array(first.probes.values) == [water])
        #expect(registry.namesToFind(among: ["tank-1"]) == ["tank-1"], "another Ingestor may have noted another")
        let second = batch(at: .noon + .seconds(60), [report(("0000059352D4", 19))], &registry)
        #expect(second.samples.isEmpty)
        #expect(second.rejectCounts == [.otherProbe: 1])
        #expect(second.probes.isEmpty)
    }

    /// Even while the probe in the water goes on reporting: a person may have chosen another.
    @Test(arguments: [[("0000059352D4", 19.0)], [("00000566CC39", 23.0), ("0000059352D4", 19.0)]])
    func aChoiceIsTakenOver(_ probes: [(String, Double)]) throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let message = probes.count == 1 ? report(probes[0]) : report(probes[0], probes[1])
        let row = try row(water)
        registry.record(found: [row], now: .noon)
        _ = batch([message], &registry)
        registry.choose(room, of: DeviceKey(slot: row.slot, device: Device.ID(rawValue: 2)))
        registry.choose(room, of: DeviceKey(slot: row.slot, device: row.device))
        #expect(registry.namesToFind(among: ["tank-1"]).isEmpty)
        let batch = batch(at: .noon + .seconds(40), [message], &registry)
        #expect(batch.samples.map(\.readings) == [Readings([.temperature: 19])])
        #expect(registry.count == 1)
    }

    /// A first report is noted at once, later ones every two minutes, which begin a second before noon for this device;
    /// each probe with its value, broken ones without.
    @Test func whatProbesSayIsNotedNowAndThen() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        registry.record(found: [try row(water)], now: .noon)
        let message = report(("00000566CC39", 23), ("0000059352D4", -127))
        #expect(noted(batch([message], &registry)) == ["00000566CC39 23.0", "0000059352D4 -"])
        #expect(noted(batch(at: .noon + .seconds(118), [message], &registry)) == [])
        let third = report(("00000566CC39", 23), ("0000059352D4", 19), ("AA01", 30))
        #expect(
            noted(batch(at: .noon + .seconds(118), [third], &registry))
                == ["00000566CC39 23.0", "0000059352D4 19.0", "AA01 30.0"])
        #expect(noted(batch(at: .noon + .seconds(119), [message], &registry)).count == 2)
        #expect(noted(batch(at: .noon + .seconds(238), [message], &registry)) == [])
        #expect(noted(batch(at: .noon, [message], &registry)).count == 2, "our clock was set back")
        // The others are gone: the probe in the water is noted all the same.
        let alone = report(("00000566CC39", 22))
        #expect(noted(batch(at: .noon + .seconds(400), [alone], &registry)) == ["00000566CC39 22.0"])
    }

    /// With one probe there is no choice, and a message that waited says nothing about now.
    @Test func aDeviceWithOneProbeCostsNothing() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        for second in 0..<300 {
            let batch = batch(at: .noon + .seconds(second), [report(("00000566CC39", Double(second)))], &registry)
            #expect(batch.probeReports.isEmpty)
            registry.record(found: [try row(water)], now: .noon)
        }
        #expect(registry.namesToFind(among: ["tank-1"]).isEmpty)
        var kept = report(("0000059352D4", 19))
        kept.wasKept = true
        #expect(batch(at: .noon + .seconds(301), [kept], &registry).probeReports.isEmpty)
    }

    @Test func aDeviceThatMakesUpIdsIsNotedNoMoreOftenForIt() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        registry.record(found: [try row(water)], now: .noon)
        var turns: [Int] = []
        var said = Set<String.SubSequence>()
        for second in 0..<600 {
            let id = "BB" + String(second, radix: 16)
            let batch = batch(at: .noon + .seconds(second), [report((id, 1), (id, 2))], &registry)
            if !batch.probeReports.isEmpty { turns.append(second) }
            said.formUnion(noted(batch).compactMap { $0.split(separator: " ").last })
        }
        #expect(said == ["1.0"], "an Id names one probe")
        #expect(turns == Array(0..<8) + [119, 239, 359, 479, 599])
        let many = (0..<20).map { (String(0xCC00 + $0, radix: 16), 1.0) } + [("00000566CC39", 23.0)]
        let members = many.enumerated().map { #""DS18B20-\#($0 + 1)":{"Id":"\#($1.0)","Temperature":\#($1.1)}"# }
        let message = MQTTMessage.of("{\(members.joined(separator: ",")),\"TempUnit\":\"C\"}", subject: "tele/SENSOR")
        let noted = noted(batch(at: .noon + .seconds(720), [message], &registry))
        #expect(noted.count == 8 && noted.contains("00000566CC39 23.0"))
    }

    @Test func aDeviceThatIsAskedForAgainKeepsItsPast() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        _ = batch([report(("00000566CC39", 23))], &registry)
        registry.record(
            found: [
                FindDevices.Row(
                    hardwareID: "tank-1", slot: Slot(of: Device.HardwareID("tank-1")!), device: Device.ID(rawValue: 1),
                    probe: water)
            ], now: .noon)
        #expect(batch(at: .noon + .seconds(1), [report(("00000566CC39", 23))], &registry).repetitions == 1)
    }

    @Test func statusesAreThoseOfEachFirmware() throws {
        for (payload, subject, online) in [
            ("Online", "tele/LWT", true), ("Offline", "tele/LWT", false),
            (#"{"state":"offline"}"#, "zigbee2mqtt/availability", false), ("true", "shelly/online", true),
            ("false", "shelly/online", false),
        ] {
            let batch = try batch([.of(payload, subject: subject)])
            #expect(batch.statuses.values.map(\.online) == [online])
        }
        #expect(try batch([.of("Away", subject: "tele/LWT")]).rejectCounts == [.status: 1])
    }
}
