import WaterQuality

extension LifeReport {
    /// A message that Tasmota publishes on `tele/STATE`:
    ///
    ///     {"Time":"2019-10-31T11:14:59","Uptime":"0T18:36:12","UptimeSec":66972,"Heap":28,
    ///      "Wifi":{"AP":1,"SSId":"shed","RSSI":44,"Signal":-78,"LinkCount":1}}
    ///
    /// `Signal` is in dBm; `RSSI` is a percentage of Tasmota's own.
    init(tasmotaState bytes: [UInt8]) throws(JSONScanner.Fault) {
        var (signal, uptime): (Double?, Double?)
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "UptimeSec": uptime = try scanner.anyNumber()
            case "Wifi":
                try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
                    if name == "Signal" { signal = try scanner.anyNumber() } else { try scanner.skipValue() }
                }
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        self.init(.tasmota)
        if let signal { keep(signal: signal) }
        if let uptime { keep(uptime: uptime) }
    }

    /// Messages that Tasmota publishes on `tele/INFO1` and `tele/INFO3` after a start; before version 9.5 without the outer member:
    ///
    ///     {"Info1":{"Module":"ESP32-DevKit","Version":"14.2.0(tasmota32)","FallbackTopic":"cmnd/DVES_3D5E26_fb/"}}
    ///     {"Info3":{"RestartReason":"Vbat power on reset","BootCount":16}}
    init(tasmotaStart bytes: [UInt8]) throws(JSONScanner.Fault) {
        var (version, reset): (String?, String?)
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("Info1", .object), ("Info3", .object):
                try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
                    switch name {
                    case "Version": version = try scanner.anyText()
                    case "RestartReason": reset = try scanner.anyText()
                    default: try scanner.skipValue()
                    }
                }
            case ("Version", .string): version = try scanner.string()
            case ("RestartReason", .string): reset = try scanner.string()
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        self.init(.tasmota)
        if let version { keep(version: version) }
        if let reset { keep(reset: reset) }
    }
}
