import WaterQuality

@testable import Ingestor

extension FuzzTarget {
    /// Firmware's words about itself: the first byte selects the topic.
    static let life = FuzzTarget(
        "life",
        seeds: [
            #"0{"status":"online","version":"1.8.0","rssi":-67,"battery":87,"uptime":3600,"reset":"brownout"}"#,
            #"1{"Uptime":"0T18:36:12","UptimeSec":66972,"Wifi":{"RSSI":44,"Signal":-78}}"#,
            #"2{"Info1":{"Module":"ESP32","Version":"14.2.0(tasmota32)"}}"#,
            #"2{"Info3":{"RestartReason":"External System","BootCount":16}}"#,
            "3-61", "4nan", "587.5", "62026.4.1 (config hash 0x7f3a)", "7Power On Reset",
            #"8{"battery":"87.00","linkquality":120,"update":{"state":"available","installed_version":1,"latest_version":2}}"#,
            #"9{"params":{"devicepower:0":{"battery":{"percent":71},"external":{"present":false}},"wifi":{"rssi":-61}}}"#,
            #"9{"params":{"sys":{"uptime":12,"ver":"1.4.2","reset_reason":9,"available_updates":{"stable":{"version":"1.4.4"}}}}}"#,
            #"a{"wifi_sta":{"rssi":-37},"uptime":2268,"update":{"has_update":true,"new_version":"v1.11.8","old_version":"v1.9.0"}}"#,
        ],
        words: [
            "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "\"status\":\"offline\"", "\"version\":",
            "\"rssi\":",
            "\"battery\":", "\"uptime\":", "\"reset\":", "\"Wifi\":{", "\"Signal\":", "\"UptimeSec\":", "\"Info3\":{",
            "\"linkquality\":", "\"update\":{", "\"installed_version\":", "\"params\":{", "\"sys\":{", "\"wifi\":{",
            "\"devicepower:0\":{", "\"percent\":", "\"present\":true", "\"reset_reason\":", "1e308", "-1e308", "NaN",
            "-0", "null", "\"\\u0000\"", "\\ud83d\\ude00", "16777248", "1e400", "{", "}", "[", "]", ",",
        ]
    ) { bytes in
        guard let first = bytes.first, let (subject, name) = subjects[first] else { return }
        let text = Array(bytes.dropFirst())
        _ = Availability(text, on: .status)
        let said: LifeReport
        do throws(JSONScanner.Fault) {
            said = try LifeReport(text, on: subject, name: name)
        } catch {
            return
        }
        try promise(
            said.battery.map { (0...100).contains($0) } ?? true, "a battery of \(String(describing: said.battery))")
        try promise(said.signal.map { (-127 ... -1).contains($0) } ?? true, "a signal beyond any radio")
        try promise(said.linkQuality.map { (0...255).contains($0) } ?? true, "a link beyond any radio")
        try promise(said.uptime.map { $0 >= 0 && $0 < 1 << 32 } ?? true, "started before there were devices")
        for text in [said.version, said.newer, said.reset].compactMap(\.self) {
            try promise((1...LifeReport.longestText).contains(text.utf8.count), "a text of \(text.utf8.count) bytes")
            try promise(text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "a text that cannot be seen")
            _ = FirmwareVersion(text)
        }
    }

    private static let subjects: [UInt8: (Topic.Subject, String)] = [
        UInt8(ascii: "0"): (.status, ""), UInt8(ascii: "1"): (.life(.tasmotaState), ""),
        UInt8(ascii: "2"): (.life(.tasmotaStart), ""), UInt8(ascii: "3"): (.number(nil, nil), "wifi_signal"),
        UInt8(ascii: "4"): (.number(nil, nil), "uptime"), UInt8(ascii: "5"): (.number(nil, nil), "battery_level"),
        UInt8(ascii: "6"): (.life(.esphomeVersion), ""), UInt8(ascii: "7"): (.life(.esphomeReset), ""),
        UInt8(ascii: "8"): (.zigbee2MQTT, ""), UInt8(ascii: "9"): (.shellyEvents, ""),
        UInt8(ascii: "a"): (.life(.shellyInfo), ""),
    ]
}
