import BrokerControl
import Foundation
import Instants
import MQTT
import MQTTFleet
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Other firmware through the real broker, with a device's rights, into the database.
@Suite(.serialized) struct FirmwareServiceTests {
    private static func publish(
        _ payload: String, on subject: String, retain: Bool = false, as client: MQTTFleet.Client,
        _ fixture: ServiceFixture
    ) async throws {
        try await fixture.fleet.publish(.of(payload, subject: subject, retain: retain), as: client)
    }

    @Test func everyFirmwaresReadingsAreStored() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1")
            for (payload, subject) in [
                (
                    #"{"Time":"2026-05-01T14:00:00","DS18B20":{"Id":"00000566CC39","Temperature":21},"TempUnit":"C"}"#,
                    "tele/SENSOR"
                ),
                ("22", "sensor/temperature/state"), ("23.000000", "reef-pi/temperature_reading"),
                (#"{"temperature":24,"linkquality":1}"#, "zigbee2mqtt"),
                (#"[{"n":"temperature","u":"Cel","v":25}]"#, "senml"),
                (#"{"0":{"hwID":"00000566CC39","tC":26,"tF":78.8}}"#, "shelly/ext_temperatures"),
            ] { try await Self.publish(payload, on: subject, as: tank, fixture) }
            try await fixture.fleet.publish(
                MQTTMessage(
                    topic: "v1.1/Datastreams('tank-1:temperature')/Observations", payload: Array(#"{"result":27}"#.utf8)
                ),
                as: tank)
            try await fixture.awaitStored(7)
            #expect(
                try await fixture.store.evaluated().map { $0.readings[.temperature] } == [21, 22, 23, 24, 25, 26, 27])
            for (payload, subject, online) in [
                ("Offline", "tele/LWT", "f"), (#"{"state":"online"}"#, "zigbee2mqtt/availability", "t"),
            ] {
                try await Self.publish(payload, on: subject, retain: true, as: tank, fixture)
                try await fixture.store.await("(SELECT online FROM device_status) = '\(online)'")
            }
            #expect(try await fixture.rejects() == 0)
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// A Shelly with two probes, from its connection on, with both kinds of notification: each value of the water once,
    /// and nothing about its relay.
    @Test func whatAShellySaysIsStored() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1")
            let now = Date().timeIntervalSince1970
            func event(_ status: String, before seconds: Double, method: String = "NotifyStatus") -> (String, String) {
                let frame =
                    #"{"src":"shellyplus1-a8032ab636ec","dst":"aqua/v1/tank-1/shelly/events","method":"\#(method)","params":"#
                return (frame + #"{"ts":\#(now - seconds),\#(status)}}"#, "shelly/events/rpc")
            }
            try await Self.publish("true", on: "shelly/online", retain: true, as: tank, fixture)
            for (payload, subject) in [
                event(
                    #""switch:0":{"id":0,"source":"init","output":true,"temperature":{"tC":52.1,"tF":125.8}},"temperature:0":"#
                        + #"{"id":0,"tC":48.3},"temperature:100":{"id":100,"tC":23.4,"tF":74.1},"temperature:101":{"id":101,"tC":19.2}"#,
                    before: 30, method: "NotifyFullStatus"),
                event(#""switch:0":{"id":0,"output":false,"source":"button"}"#, before: 25),
                event(#""temperature:101":{"id":101,"tC":19.7,"tF":67.5}"#, before: 20),
                (#"{"id":101,"tC":19.7,"tF":67.5}"#, "shelly/status/temperature:101"),
                event(#""temperature:100":{"id":100,"tC":24.1,"tF":75.4}"#, before: 10),
                (#"{"id":100,"tC":24.1,"tF":75.4}"#, "shelly/status/temperature:100"),
                event(#""temperature:100":{"id":100,"tC":null,"tF":null,"errors":["read"]}"#, before: 5),
            ] { try await Self.publish(payload, on: subject, as: tank, fixture) }
            try await Self.publish("false", on: "shelly/online", retain: true, as: tank, fixture)
            try await fixture.store.await("(SELECT NOT online FROM device_status)")
            #expect(
                try await fixture.database.sql("SELECT temperature FROM sample ORDER BY event_time") == "23.4\n24.1")
            #expect(
                try await fixture.database.sql("SELECT reason, subject FROM device_reject") == "probeFault|temperature")
            try await fixture.store.await("(SELECT count(*) FROM reported_probe) = 2")
            #expect(await ingestor.stop() == .exit(0))
        }
    }

    /// ESPHome retains its states: a later subscriber gets none of them, and a kept message decides nothing.
    @Test func aRetainedStateIsNeverNews() async throws {
        try await ServiceFixture.with { fixture in
            #expect(
                try await SeatSessionTests.holdsSession(Seat.firstSessionID, fixture), "it is there from the beginning")
            let tank = try await fixture.connect("tank-1")
            try await Self.publish("40", on: "sensor/temperature/state", retain: true, as: tank, fixture)
            let first = try await fixture.startIngestor()
            #expect(await first.stop() == .exit(0))
            try await Self.publish("41", on: "sensor/temperature/state", retain: true, as: tank, fixture)
            let second = try await fixture.startIngestor()
            try await Self.publish("22", on: "sensor/temperature/state", retain: true, as: tank, fixture)
            try await fixture.store.await("EXISTS (SELECT FROM sample WHERE temperature = 22)")
            #expect(try await fixture.store.evaluated().map { $0.readings[.temperature] } == [22])
            #expect(try await fixture.store.count("count(*) FROM sample WHERE temperature = 40") == 0)
            #expect(await second.stop() == .exit(0))
        }
    }

    /// Unknown names of firmware are reported to the owner, and the broker keeps none of their messages: one key could
    /// fill it.
    @Test func aNameThatIsNoParameterIsToldAndNotKept() async throws {
        try await ServiceFixture.with { fixture in
            let ingestor = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1")
            for (payload, subject) in [("24.5", "sensor/water_level/state"), ("8.1", "reef-pi/ph_left")] {
                try await Self.publish(payload, on: subject, retain: true, as: tank, fixture)
            }
            try await fixture.store.await("(SELECT count(*) FROM device_reject) = 2")
            #expect(
                try await fixture.database.sql(
                    "SELECT subject, convert_from(payload, 'UTF8') FROM device_reject ORDER BY 1")
                    == "ph_left|8.1\nwater_level|24.5")
            // A later message on the same connection shows that the removal before it has been processed.
            try await Self.publish("22", on: "sensor/temperature/state", as: tank, fixture)
            try await fixture.awaitStored(1)
            #expect(await ingestor.stop() == .exit(0))
            let broker = fixture.cluster.broker
            let consumer = try await MQTTConsumer.connect(
                MQTTConfiguration(
                    endpoint: try MQTTEndpoint(url: broker.url), clientID: "aqua:ingestor:look",
                    credentials: MQTTCredentials(
                        user: TestBroker.ingestor, password: try broker.password(TestBroker.ingestor))))
            try await consumer.subscribe(
                ["sensor/+/state", "reef-pi/+"].map {
                    MQTTSubscription("aqua/v1/+/\($0)", retainHandling: .sendAtSubscribe)
                })
            try await Self.publish("23", on: "sensor/temperature/state", as: tank, fixture)
            let heard = try await consumer.receive(maximum: 10, patience: .seconds(20))
            #expect(heard.map(\.payload) == [Array("23".utf8)])
            await consumer.abandon()
        }
    }

    /// The room's probe stays the room's after a restart, whichever number it has, until the operator names another.
    @Test func theWatersProbeIsRemembered() async throws {
        try await ServiceFixture.with { fixture in
            let report = { (probes: [(String, Int)]) in
                "{\(probes.enumerated().map { #""DS18B20-\#($0 + 1)":{"Id":"\#($1.0)","Temperature":\#($1.1)}"# }.joined(separator: ",")),\"TempUnit\":\"C\"}"
            }
            let tank = try await fixture.connect("tank-1")
            let first = try await fixture.startIngestor()
            try await Self.publish(report([("AA01", 23), ("AA02", 19)]), on: "tele/SENSOR", as: tank, fixture)
            try await fixture.store.await("EXISTS (SELECT FROM reported_probe WHERE probe_id = 'AA01')")
            #expect(await first.stop() == .exit(0))

            let second = try await fixture.startIngestor()
            try await Self.publish(report([("AA02", 18)]), on: "tele/SENSOR", as: tank, fixture)
            try await fixture.store.await(
                "EXISTS (SELECT FROM device_reject WHERE reason = 'otherProbe' AND subject = 'temperature')")
            try await fixture.store.await("EXISTS (SELECT FROM reported_probe WHERE temperature = 18)")
            let reported = try await fixture.store.owner.execute(ListProbes(of: fixture.store.devices[0]))
            #expect(reported.map { $0.id } == ["AA01", "AA02"])
            #expect(reported.map { $0.isChosen } == [true, false])
            #expect(reported.map { $0.temperature } == [23, 18])
            let times = reported.compactMap { $0.reportedAt }
            #expect(times.count == 2 && times == times.sorted())
            #expect(try await fixture.store.count("count(*) FROM sample") == 1)
            #expect(await second.stop() == .exit(0))

            _ = try await fixture.store.owner.execute(
                ChooseProbe(#require(ProbeID("AA02")), of: fixture.store.devices[0]))
            let third = try await fixture.startIngestor()
            try await Self.publish(report([("AA01", 17), ("AA02", 18)]), on: "tele/SENSOR", as: tank, fixture)
            try await fixture.store.await("EXISTS (SELECT FROM sample WHERE temperature = 18)")
            #expect(await third.stop() == .exit(0))
        }
    }

    /// The session of an Ingestor that knew fewer topics gets the new ones, too.
    @Test func aSessionOfAnEarlierVersionHearsTheFirmware() async throws {
        try await ServiceFixture.with { fixture in
            let first = try await fixture.startIngestor()
            #expect(await first.stop() == .exit(0))
            let session = try await fixture.database.sql("SELECT session_id FROM ingest_seat WHERE seat = 0")
            let broker = fixture.cluster.broker
            let configuration = MQTTConfiguration.durable(
                endpoint: try MQTTEndpoint(url: broker.url), clientID: session,
                credentials: MQTTCredentials(
                    user: TestBroker.ingestor, password: try broker.password(TestBroker.ingestor)), batch: 1_000)
            let consumer = try await MQTTConsumer.connect(configuration)
            try await consumer.unsubscribe(Topic.firmwareFilters)
            try await consumer.disconnect()

            let second = try await fixture.startIngestor()
            let tank = try await fixture.connect("tank-1")
            try await Self.publish("22", on: "sensor/temperature/state", as: tank, fixture)
            try await fixture.awaitStored(1)
            #expect(await second.stop() == .exit(0))
        }
    }

    /// A broker configured by an earlier version refuses the firmware's topics: our own still work.
    @Test func anEarlierBrokerStopsNothing() async throws {
        try await ServiceFixture.with { fixture in
            let broker = fixture.cluster.broker
            let administrator = MQTTConfiguration(
                endpoint: try MQTTEndpoint(url: broker.url), clientID: "test-administrator",
                credentials: MQTTCredentials(user: TestBroker.admin, password: try broker.password(TestBroker.admin)))
            try await DynamicSecurity.with(administrator) { security in
                // The role as that version's deploy/broker/init wrote it.
                try await security.ensureRole(
                    "ingestor",
                    rules: Topic.filters.flatMap {
                        [.init(.subscribePattern, $0), .init(.publishClientReceive, $0)]
                    } + [.init(.subscribePattern, "#", priority: -1, allow: false)])
            }
            let ingestor = try ProcessUnderTest.start("aqua-ingestor", environment: fixture.environment())
            try await ingestor.line { $0.contains("The broker refuses topics of other firmware") }
            let tank = try await fixture.connect("tank-1")
            try await fixture.fleet.publish(.of(#"{"ph":7.9}"#), as: tank)
            try await fixture.awaitStored(1)
            #expect(await ingestor.stop() == .exit(0))
        }
    }
}
