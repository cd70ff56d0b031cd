import Foundation
import Instants
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Events from the documentation of The Things Stack and ChirpStack, shortened.
@Suite struct NetworkEventTests {
    static let thingsStack = #"""
        {"end_device_ids":{"device_id":"pond-probe","application_ids":{"application_id":"ponds"},"dev_eui":"0004A30B001C0530"},
         "correlation_ids":["as:up:01E0WZGT6Y7657CPFPE5WEYDSQ"],"received_at":"2026-05-01T12:00:01.787349178Z",
         "uplink_message":{"session_key_id":"AXA5","f_port":1,"f_cnt":4,"frm_payload":"gkHe",
           "decoded_payload":{"temperature":18.4,"ph":7.62,"battery":3.6},"rx_metadata":[{"gateway_ids":{"gateway_id":"gtw1"},
           "time":"2026-05-01T11:59:59Z","rssi":-35,"snr":5.2}],"settings":{"data_rate":{"lora":{"bandwidth":125000}}},
           "received_at":"2026-05-01T12:00:00Z"},"simulated":true}
        """#

    static let chirpStack = #"""
        {"deduplicationId":"3ac7e3c4-4401-4b8d-9386-a5c902f9202d","time":"2026-05-01T12:00:00.000000000+00:00",
         "deviceInfo":{"tenantId":"52f14cd4","deviceName":"pond","devEui":"0101010101010101","tags":{"key":"value"}},
         "devAddr":"00189440","adr":true,"dr":1,"fCnt":4,"fPort":1,"confirmed":false,"data":"qg==",
         "object":{"temperature":18.4,"ph":7.62,"battery":3.6},"rxInfo":[{"gatewayId":"0016c001f153a14c","rssi":-36}]}
        """#

    private func message(_ text: String) throws -> [UInt8]? { try #require(NetworkEvent(Array(text.utf8))).message }

    @Test(arguments: [thingsStack, chirpStack]) func anUplinkIsAReadingOfItsTime(_ text: String) throws {
        let payload = try ReadingsPayload(try #require(try message(text)))
        #expect(payload.readings == Readings([.temperature: 18.4, .ph: 7.62]))
        #expect(payload.time == .at(.noon))
        #expect(payload.faults.isEmpty, "the battery is no water, and no fault")
    }

    /// An uplink that no formatter has decoded is no reading, and must not be acknowledged as one.
    @Test(arguments: [
        #"{"end_device_ids":{},"uplink_message":{"frm_payload":"gkHe","received_at":"2026-05-01T12:00:00Z"}}"#,
        #"{"end_device_ids":{},"uplink_message":{"decoded_payload":null}}"#,
        #"{"deviceInfo":{},"time":"2026-05-01T12:00:00Z","fCnt":4,"data":"qg=="}"#,
    ])
    func anUplinkWithoutADecodedPayloadSaysNothing(_ text: String) throws {
        let payload = try ReadingsPayload(try #require(try message(text)))
        #expect(payload.readings.isEmpty)
    }

    @Test(arguments: [
        #"{"end_device_ids":{},"join_accept":{"session_key_id":"AXA5"}}"#,
        #"{"deviceInfo":{},"time":"2026-05-01T12:00:00Z","margin":10,"batteryLevel":87.5}"#,
    ])
    func inOtherEventsNothingIsMeasured(_ text: String) throws { #expect(try message(text) == nil) }

    @Test(arguments: [
        "", "[]", "{}", #"{"ph":7.9}"#, #"{"end_device_ids":1}"#, #"{"uplink_message":{"decoded_payload":{"ph":7}}}"#,
        #"{"end_device_ids":{},"uplink_message":{"decoded_payload":{"ph":7}}"#, #"{"deviceInfo":{}} x"#,
    ])
    func anythingElseIsNoEvent(_ text: String) { #expect(NetworkEvent(Array(text.utf8)) == nil) }

    /// A name from outside cannot end a string, nor a decoded payload the message.
    @Test func namesKeepTheirEscapes() throws {
        let text = #"{"deviceInfo":{},"object":{"a\"},\"ph\":1,{":2,"ph":7.9,"time":5}}"#
        let payload = try ReadingsPayload(try #require(try message(text)))
        #expect(payload.readings == Readings([.ph: 7.9]))
        #expect(payload.time == .receipt)
        #expect(payload.faults.map(\.reason) == [.unknownParameter, .unknownParameter])
    }

    /// A network server takes 2xx for delivered: an uplink gets it only once its reading is stored, at the uplink's
    /// time.
    @Test func anUplinkOfANetworkServerIsAReading() async throws {
        try await ServiceFixture.with { fixture in
            let (ingestor, device) = try await fixture.startServing()
            let path = "/aqua/v1/tank-1/readings?event=up"
            let now = String(Timestamp.now.iso8601.dropLast(1).prefix(19))
            let uplink = Self.chirpStack.replacing("2026-05-01T12:00:00", with: now)
            let stored = try await device.post(uplink, to: path)
            #expect(stored.status == 200 && stored.text.contains(#""stored":1"#), "\(stored.text)")
            let again = Self.thingsStack.replacing("2026-05-01T12:00:00Z", with: "\(now)Z")
            let repeated = try await device.post(again)
            #expect(repeated.status == 200 && repeated.text.contains(#""repeated":1"#), "\(repeated.text)")
            let undecoded = try await device.post(#"{"deviceInfo":{},"fCnt":4,"data":"qg=="}"#, to: path)
            #expect(undecoded.status == 422)
            let status = try await device.post(#"{"deviceInfo":{},"margin":10}"#, to: path)
            #expect(status.text == #"{"stored":0,"repeated":0,"rejected":[]}"#)
            #expect(try await DeviceClient(port: device.port, key: "another").post(uplink).status == 401)
            #expect(
                try await fixture.database.sql("SELECT temperature, ph, event_time = '\(now)Z' FROM sample")
                    == "18.4|7.62|t")
            #expect(await ingestor.stop() == .exit(0))
        }
    }
}
