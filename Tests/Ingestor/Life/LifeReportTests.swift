import Testing
import WaterQuality

@testable import Ingestor

/// Messages about devices themselves, as their makers' documents and real devices have them.
@Suite struct LifeReportTests {
    private func read(_ text: String, _ subject: String) throws -> LifeReport {
        let topic = try #require(Topic("aqua/v1/tank-1/\(subject)"))
        return try LifeReport(
            Array(text.utf8), on: topic.subject, name: Topic.name(in: "aqua/v1/tank-1/\(subject)"))
    }

    private func report(_ family: LifeReport.Family, _ keep: (inout LifeReport) -> Void) -> LifeReport {
        var report = LifeReport(family)
        keep(&report)
        return report
    }

    // MARK: Our own

    @Test func ourStatus() throws {
        let text = #"{"status":"online","version":"1.8.0","rssi":-67,"battery":87.5,"uptime":3600,"reset":"brownout"}"#
        #expect(
            try read(text, "status")
                == report(.native) {
                    $0.keep(version: "1.8.0")
                    $0.keep(signal: -67)
                    $0.keep(battery: 87.5)
                    $0.keep(uptime: 3_600)
                    $0.keep(reset: "brownout")
                })
        #expect(Availability(Array(text.utf8), on: .status)?.isOnline == true)
    }

    @Test(arguments: ["online", "offline", "", "{", "[]", #"{"version":1}"#, #"{"rssi":null,"x":[{}]}"#, "{}x"])
    func aStatusMaySayNothing(_ text: String) throws {
        #expect(try read(text, "status").isEmpty)
    }

    @Test(
        arguments: [
            (#"{"version":"1"}"#, true), ("{}", true), (#"{"status":"online"}"#, true),
            (#"{"status":"offline"}"#, false),
            (#"{"status":"away"}"#, nil), ("{", nil), ("away", nil), (#"{"status":"online"} x"#, nil),
            (#"{"a":""# + String(repeating: "x", count: 512) + "\"}", nil),
        ] as [(String, Bool?)])
    func anObjectIsOnlineUnlessItSaysOtherwise(_ text: String, _ isOnline: Bool?) {
        #expect(Availability(Array(text.utf8), on: .status)?.isOnline == isOnline)
    }

    // MARK: Tasmota

    @Test func tasmotasState() throws {
        let text = #"""
            {"Time":"2023-06-04T18:27:46","Uptime":"2T20:31:40","UptimeSec":246700,"Heap":18,"SleepMode":"Dynamic","Sleep":50,"LoadAvg":19,
            "MqttCount":1,"POWER":"OFF","Wifi":{"AP":1,"SSId":"shed","BSSId":"10:0C:6B:F6:30:E7","Channel":10,"Mode":"11n","RSSI":44,
            "Signal":-78,"LinkCount":1,"Downtime":"0T00:00:03"}}
            """#
        #expect(
            try read(text, "tele/STATE")
                == report(.tasmota) {
                    $0.keep(uptime: 246_700)
                    $0.keep(signal: -78)
                })
        #expect(try read(#"{"Wifi":null,"UptimeSec":"x"}"#, "tele/STATE").isEmpty)
    }

    @Test(arguments: [
        #"{"Info1":{"Module":"ESP32-DevKit","Version":"14.2.0(tasmota32)","FallbackTopic":"cmnd/DVES_3D5E26_fb/","GroupTopic":"cmnd/tasmotas/"}}"#,
        #"{"Module":"ESP32-DevKit","Version":"14.2.0(tasmota32)","FallbackTopic":"cmnd/DVES_3D5E26_fb/"}"#,
    ])
    func tasmotasVersion(_ text: String) throws {
        #expect(try read(text, "tele/INFO1") == report(.tasmota) { $0.keep(version: "14.2.0(tasmota32)") })
    }

    @Test func tasmotasReason() throws {
        for text in [
            #"{"Info3":{"RestartReason":"External System","BootCount":16}}"#,
            #"{"RestartReason":"External System","BootCount":16}"#,
        ] { #expect(try read(text, "tele/INFO3") == report(.tasmota) { $0.keep(reset: "External System") }) }
    }

    // MARK: ESPHome

    @Test func esphomesSensors() throws {
        for name in ["wifi_signal", "wifi_signal_db", "wifi_signal_sensor", "rssi"] {
            #expect(try read("-61", "sensor/\(name)/state") == report(.esphome) { $0.keep(signal: -61) })
        }
        for name in ["uptime", "uptime_sensor"] {
            #expect(try read("3600.4", "sensor/\(name)/state") == report(.esphome) { $0.keep(uptime: 3_600) })
        }
        for name in ["battery", "battery_level"] {
            #expect(try read("87.50", "sensor/\(name)/state") == report(.esphome) { $0.keep(battery: 87.5) })
        }
        for (text, name) in [
            ("61", "wifi_signal_percent"), ("nan", "battery_level"), ("None", "wifi_signal"),
            ("3.9", "battery_voltage"),
            ("", "uptime"), ("120", "battery"),
        ] { #expect(try read(text, "sensor/\(name)/state").isEmpty, "\(name) \(text)") }
    }

    @Test func esphomesTexts() throws {
        #expect(
            try read("2026.4.1 (config hash 0x7f3a)", "text_sensor/version/state")
                == report(.esphome) { $0.keep(version: "2026.4.1 (config hash 0x7f3a)") })
        #expect(
            try read("Power On Reset", "text_sensor/reset_reason/state")
                == report(.esphome) { $0.keep(reset: "Power On Reset") })
    }

    // MARK: Zigbee2MQTT

    @Test func zigbeesMembers() throws {
        let text = #"""
            {"temperature":24.6,"battery":"87.00","voltage":2900,"linkquality":120,"last_seen":"2026-05-01T14:00:00+02:00",
            "update":{"state":"available","installed_version":16777241,"latest_version":16777248},"update_available":true}
            """#
        #expect(
            try read(text, "zigbee2mqtt")
                == report(.zigbee2MQTT) {
                    $0.keep(battery: 87)
                    $0.keep(linkQuality: 120)
                    $0.keep(version: "16777241")
                    $0.keep(newer: "16777248")
                })
        let idle =
            #"{"update":{"state":"idle","installed_version":-1,"latest_version":1.5},"battery":null,"linkquality":256}"#
        #expect(try read(idle, "zigbee2mqtt").isEmpty, "nothing is offered, and no version is one")
    }

    // MARK: Shelly

    @Test func shellysStatus() throws {
        let text = #"""
            {"src":"shellyplus1-a8032ab636ec","dst":"aqua/v1/pond-1/shelly/events","method":"NotifyFullStatus","params":{"ts":1777636800.04,
            "devicepower:0":{"id":0,"battery":{"V":5.4,"percent":71},"external":{"present":false}},"sys":{"mac":"A8032AB636EC",
            "restart_required":false,"time":"14:00","unixtime":1777636800,"uptime":12,"ver":"1.4.2","reset_reason":9,
            "available_updates":{"beta":{"version":"1.5.0-beta1"},"stable":{"version":"1.4.4"}}},
            "wifi":{"sta_ip":"192.168.1.7","status":"got ip","ssid":"shed","rssi":-61}}}
            """#
        #expect(
            try read(text, "shelly/events/rpc")
                == report(.shelly) {
                    $0.keep(battery: 71)
                    $0.keep(uptime: 12)
                    $0.keep(version: "1.4.2")
                    $0.keep(reset: "brownout")
                    $0.keep(newer: "1.4.4")
                    $0.keep(signal: -61)
                })
    }

    /// Fed by its cable, a Shelly Plus H&T says 0 % of a battery that is not there.
    @Test func shellysBatteryIsNoneWhileItIsFed() throws {
        let text = #"{"params":{"devicepower:0":{"battery":{"V":0.43,"percent":0},"external":{"present":true}}}}"#
        #expect(try read(text, "shelly/events/rpc").isEmpty)
        let other =
            #"{"method":"NotifyStatus","params":{"sys":{"reset_reason":77,"available_updates":{}},"wifi":{"rssi":null}}}"#
        #expect(try read(other, "shelly/events/rpc") == report(.shelly) { $0.keep(reset: "77") })
    }

    @Test func firstShellysInfo() throws {
        let text = #"""
            {"wifi_sta":{"connected":true,"ssid":"shed","ip":"192.168.0.101","rssi":-37},"cloud":{"enabled":true},"has_update":true,
            "relays":[{"ison":false}],"ext_temperature":{},"update":{"status":"pending","has_update":true,
            "new_version":"20220209-092750/v1.11.8-g8c7bb8d","old_version":"20201124-091217/v1.9.0@57ac4ad8"},"uptime":2268}
            """#
        #expect(
            try read(text, "shelly/info")
                == report(.shellyGen1) {
                    $0.keep(signal: -37)
                    $0.keep(uptime: 2_268)
                    $0.keep(version: "20201124-091217/v1.9.0@57ac4ad8")
                    $0.keep(newer: "20220209-092750/v1.11.8-g8c7bb8d")
                })
    }

    // MARK: Anything else

    @Test(arguments: ["tele/STATE", "tele/INFO1", "tele/INFO3", "shelly/info"])
    func whatIsNoObjectIsRefused(_ subject: String) throws {
        for text in ["", "x", "[]", "{", #"{"a":1}}"#] {
            #expect(throws: JSONScanner.Fault.self, "\(text)") { _ = try read(text, subject) }
        }
        #expect(try read("{}", subject).isEmpty)
    }

    @Test(arguments: [
        "readings", "senml", "tele/SENSOR", "shelly/online", "sensor/ph/state", "shelly/ext_temperatures",
    ])
    func readingsSayNothingOfTheDevice(_ subject: String) throws {
        #expect(try read(#"{"battery":4}"#, subject).isEmpty)
    }
}
