import Instants
import MQTT
import Store
import Testing
import WaterQuality

@testable import Ingestor

/// When the life of a device is noted: aside from its readings, and once in two minutes.
@Suite struct LifeBatchTests {
    private func batch(
        at now: Timestamp = .noon, _ messages: [MQTTMessage], _ registry: inout DeviceRegistry
    ) -> IngestBatch {
        var batch = IngestBatch(receivedAt: now, history: .seconds(29 * 86_400))
        for message in messages { batch.add(message, &registry) }
        return batch
    }

    private static let state = MQTTMessage.of(#"{"UptimeSec":60,"Wifi":{"Signal":-70}}"#, subject: "tele/STATE")
    private static let version = MQTTMessage.of(#"{"Info1":{"Version":"14.2.0"}}"#, subject: "tele/INFO1")

    @Test func messagesOfABatchAreOneNote() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let found = batch([Self.version, Self.state], &registry)
        #expect(found.samples.isEmpty && found.rejects.isEmpty && found.lives.count == 1)
        // The first of a device is noted at once, what follows with the next turn.
        #expect(found.lives.values.first?.version == "14.2.0")
    }

    @Test func whatIsSaidBetweenIsKeptForTheNextNote() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        #expect(batch([Self.version], &registry).lives.count == 1)
        let weaker = MQTTMessage.of(#"{"Wifi":{"Signal":-90}}"#, subject: "tele/STATE")
        #expect(batch(at: .noon + .seconds(1), [Self.state], &registry).lives.isEmpty)
        let later = batch(at: .noon + .seconds(121), [weaker], &registry).lives.values.first
        #expect(later?.signal == -90 && later?.uptime == 60 && later?.version == nil)
        #expect(batch(at: .noon + .seconds(122), [Self.state], &registry).lives.isEmpty)
    }

    /// Each is a reading as before, and the device's life besides.
    @Test(arguments: [
        MQTTMessage.of(#"{"temperature":20.6,"battery":4,"linkquality":9}"#, subject: "zigbee2mqtt"),
        .of(
            #"{"params":{"ts":null,"temperature:100":{"tC":20.6},"devicepower:0":{"battery":{"percent":4}}}}"#,
            subject: "shelly/events/rpc"),
    ])
    func readingsMaySayItToo(_ message: MQTTMessage) throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let found = batch([message], &registry)
        #expect(found.samples.map(\.readings) == [Readings([.temperature: 20.6])])
        #expect(found.lives.values.map(\.battery) == [4])
    }

    @Test func aStatusIsBoth() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let found = batch([.of(#"{"version":"1.8.0","rssi":-60}"#, subject: "status")], &registry)
        #expect(found.statuses.values.map(\.online) == [true] && found.lives.values.map(\.version) == ["1.8.0"])
        #expect(found.rejects.isEmpty)
    }

    @Test func aSensorOfItselfIsNoReject() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let found = batch([.of("-61", subject: "sensor/wifi_signal/state")], &registry)
        #expect(found.lives.values.map(\.signal) == [-61] && found.rejects.isEmpty && found.nameless.count == 1)
    }

    @Test func whatWasKeptSaysNothingOfNow() throws {
        for keep in [\MQTTMessage.retain, \.isRedelivery, \.wasKept] {
            var registry = try DeviceRegistry(knowing: ["tank-1"])
            var kept = Self.state
            kept[keyPath: keep] = true
            #expect(batch([kept], &registry).lives.isEmpty)
        }
    }

    @Test func whatCannotBeReadIsRejected() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        #expect(batch([.of("x", subject: "tele/STATE")], &registry).rejectCounts == [.malformed: 1])
        #expect(batch([.of("{}", subject: "tele/STATE")], &registry).rejectCounts == [:])
    }

    /// A fleet that starts at once is noted by and by, and nothing of it is lost.
    @Test func aBatchNotesABoundedNumber() throws {
        let names = (0...IngestBatch.mostLives).map { "tank-\($0)" }
        var registry = try DeviceRegistry(knowing: names)
        func all(_ payload: String) -> [MQTTMessage] {
            names.map { MQTTMessage(topic: "aqua/v1/\($0)/status", payload: Array(payload.utf8)) }
        }
        #expect(batch(all(#"{"version":"1"}"#), &registry).lives.count == IngestBatch.mostLives)
        let rest = batch(at: .noon + .seconds(1), all(#"{"rssi":-60}"#), &registry).lives
        // The turns of some others begin with this second.
        let last = rest.first { $0.key.device == Device.ID(rawValue: Int32(names.count)) }?.value
        #expect(last?.version == "1" && last?.signal == -60)
    }
}
