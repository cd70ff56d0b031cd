import Instants
import MQTT
import Store
import TestSupport
import Testing
import WaterQuality
import Words

@testable import Ingestor

@Suite struct HomeBoardTests {
    private let board = HomeBoard()
    private var registry: DeviceRegistry

    init() throws {
        registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
    }

    private mutating func note(_ messages: [MQTTMessage], at now: Timestamp = .noon, new: Set<Sample.Key>? = nil) {
        var batch = IngestBatch(receivedAt: now, history: .seconds(29 * 86_400))
        for message in messages { batch.add(message, &registry) }
        batch.close()
        board.note(batch, BatchTransaction.Outcome(newKeys: new, stored: batch.samples.count)) { [registry] in
            registry.name(of: $0)
        }
    }

    /// Topics and payloads, except for announcements.
    private func told(at now: Timestamp = .noon) -> [String] {
        board.take(most: 10, now: now).filter { !$0.topic.hasSuffix("/config") }
            .map { "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))" }.sorted()
    }

    private func announced() -> [String] {
        board.take(most: 10, now: .noon).map(\.topic).filter { $0.hasSuffix("/config") }.sorted()
    }

    @Test mutating func onlyTheNewestIsTold() {
        note([.of(#"{"temperature":23.44,"ph":7.9}"#), .of(#"{"temperature":24.06}"#), .of("tank-2", #"{"ph":7}"#)])
        #expect(
            told() == [
                "aquamonitor/tank-1/last_reading 2026-05-01T12:00:00.000001Z", "aquamonitor/tank-1/ph 7.9",
                "aquamonitor/tank-1/temperature 24.1", "aquamonitor/tank-2/last_reading 2026-05-01T12:00:00Z",
                "aquamonitor/tank-2/ph 7.0",
            ])
        #expect(told().isEmpty)
        // The value of a probe that has stopped is not sent again with the others'.
        note([.of(#"{"time":"2026-05-01T12:00:30Z","ph":8}"#)], at: .noon + .seconds(30))
        #expect(
            told() == ["aquamonitor/tank-1/last_reading 2026-05-01T12:00:30Z", "aquamonitor/tank-1/ph 8.0"])
    }

    @Test mutating func whatIsNoNewsIsNotTold() {
        note([.of(#"{"time":"2026-05-01T11:59:00Z","ph":7.9}"#)])
        _ = told()
        // Older, long past, stored before, broken, unreadable.
        note([
            .of(#"{"time":"2026-05-01T11:58:00Z","ph":7.5}"#), .of(#"{"time":"2026-04-20T12:00:00Z","ph":7.5}"#),
            .of(#"{"temperature":-127}"#), .of("{"),
        ])
        note([.of(#"{"time":"2026-05-01T11:59:30Z","ph":7.5}"#)], new: [])
        #expect(told().isEmpty)
        note([.of("offline", subject: "status")])
        #expect(told() == ["aquamonitor/tank-1/connection offline"])
    }

    @Test mutating func aDeviceIsAnnouncedOncePerConnection() {
        note([.of(#"{"ph":7.9}"#)])
        #expect(announced() == ["homeassistant/device/aquamonitor_tank-1/config"])
        note([.of(#"{"ph":8}"#)], at: .noon + .seconds(30))
        #expect(announced().isEmpty)
        note([.of(#"{"salinity":5}"#)], at: .noon + .seconds(60))
        #expect(announced().count == 1, "it measures more")
        board.startAnew()
        #expect(announced().count == 1)
    }

    /// While nobody listens the newest value waits, until it would look fresh without being so.
    @Test mutating func whatIsOldIsNotTold() {
        note([.of(#"{"ph":7.9}"#), .of("online", subject: "status")])
        #expect(told(at: .noon + .seconds(901)) == ["aquamonitor/tank-1/connection online"])
        note([.of(#"{"ph":8}"#)], at: .noon + .seconds(1_000))
        board.startAnew()
        #expect(told(at: .noon + .seconds(1_001)).count == 3)
    }

    /// A device that was away sends its memory: the last quarter of an hour is passed on, and the rest belongs to the
    /// history.
    @Test mutating func aBacklogIsNotTold() {
        note([.of(#"{"time":"2026-04-29T12:00:00Z","temperature":23.4}"#)])
        #expect(told().isEmpty)
        note([.of(#"{"time":"2026-05-01T11:44:59Z","temperature":23.4}"#)])
        #expect(told().isEmpty)
        note([.of(#"{"time":"2026-05-01T11:45:00Z","temperature":23.4}"#)])
        #expect(told().count == 2)
    }

    @Test mutating func aStatusMakesNoReadingFresh() {
        note([.of(#"{"ph":7.9}"#)])
        note([.of(#"{"temperature":23.4}"#)], at: .noon + .seconds(800))
        note([.of("online", subject: "status")], at: .noon + .seconds(1_000))
        #expect(
            told(at: .noon + .seconds(1_000)) == [
                "aquamonitor/tank-1/connection online", "aquamonitor/tank-1/last_reading 2026-05-01T12:13:20Z",
                "aquamonitor/tank-1/temperature 23.4",
            ])
    }

    /// Names are looked up only for values that are sent, and no value stays under a device's former name.
    @Test mutating func aDeviceIsKnownByItsNameOfNow() throws {
        var batch = IngestBatch(receivedAt: .noon, history: .seconds(29 * 86_400))
        batch.add(.of(#"{"ph":7.9}"#), &registry)
        batch.close()
        var asked = 0
        func note(_ new: Set<Sample.Key>?, as name: String?) {
            board.note(batch, BatchTransaction.Outcome(newKeys: new, stored: 1)) { _ in
                asked += 1
                return name
            }
        }
        note([], as: "tank-1")
        #expect(asked == 0 && told().isEmpty)
        note(nil, as: "tank-1")
        #expect(asked == 1 && told().contains("aquamonitor/tank-1/ph 7.9"))
        note(nil, as: "tank-3")
        #expect(told().contains("aquamonitor/tank-3/ph 7.9"))
        note(nil, as: nil)
        board.startAnew()
        #expect(board.take(most: 10, now: .noon).isEmpty)
    }

    @Test func theMakerIsTheInstallation() throws {
        let ours = try #require(Brand(named: "Koi Club"))
        let measured = ParameterSet(mask: Readings([.ph: 7]).present)
        let message = Brand.$current.withValue(ours) { HomeDiscovery.configuration(of: "tank-1", measured) }
        let text = String(decoding: message.payload, as: UTF8.self)
        #expect(text.contains(#""manufacturer":"Koi Club"},"origin":{"name":"Koi Club"}"#), "\(text)")
    }

    /// As required by Home Assistant's schema of device discovery.
    @Test func aDeviceIsDescribed() throws {
        let message = HomeDiscovery.configuration(
            of: "tank-1", ParameterSet(mask: Readings([.temperature: 20, .ph: 7, .orp: 300]).present))
        #expect(message.retain)
        #expect(
            String(decoding: message.payload, as: UTF8.self)
                == #"{"device":{"identifiers":["aquamonitor_tank-1"],"name":"tank-1","#
                + #""manufacturer":"AquaMonitor"},"origin":{"name":"AquaMonitor"},"components":{"#
                + #""last_reading":{"platform":"sensor","unique_id":"aquamonitor_tank-1_last_reading","name":"Last reading","#
                + #""state_topic":"aquamonitor/tank-1/last_reading","device_class":"timestamp"},"#
                + #""connection":{"platform":"binary_sensor","unique_id":"aquamonitor_tank-1_connection","name":"Connection","#
                + #""state_topic":"aquamonitor/tank-1/connection","device_class":"connectivity","payload_on":"online","payload_off":"offline"},"#
                + #""temperature":{"platform":"sensor","unique_id":"aquamonitor_tank-1_temperature","name":"Temperature","#
                + #""state_topic":"aquamonitor/tank-1/temperature","state_class":"measurement","suggested_display_precision":1,"#
                + #""expire_after":10800,"device_class":"temperature","unit_of_measurement":"°C"},"#
                + #""ph":{"platform":"sensor","unique_id":"aquamonitor_tank-1_ph","name":"pH","state_topic":"aquamonitor/tank-1/ph","#
                + #""state_class":"measurement","suggested_display_precision":1,"expire_after":10800,"device_class":"ph"},"#
                + #""orp":{"platform":"sensor","unique_id":"aquamonitor_tank-1_orp","name":"ORP","state_topic":"aquamonitor/tank-1/orp","#
                + #""state_class":"measurement","suggested_display_precision":0,"expire_after":10800,"device_class":"voltage","unit_of_measurement":"mV"}}}"#
        )
    }
}
