import WaterQuality

extension LifeReport {
    /// The members about the device itself in what a Shelly of the second generation or later publishes on `events/rpc`:
    ///
    ///     {"method":"NotifyFullStatus","params":{"devicepower:0":{"battery":{"V":5.4,"percent":71}},
    ///      "sys":{"uptime":3600,"reset_reason":1,"available_updates":{"stable":{"version":"1.4.4"}}},"wifi":{"rssi":-61}}}
    ///
    /// The script that `aqua device add` prints adds its version, `ver`, to `sys`.
    init(shellyEvent bytes: [UInt8]) throws(JSONScanner.Fault) {
        var said = LifeReport(.shelly)
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            guard name == "params" else { return try scanner.skipValue() }
            try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
                switch name {
                case "sys": try said.readSystem(&scanner)
                case "wifi": try said.readRadio(&scanner)
                case "devicepower:0": try said.readPower(&scanner)
                default: try scanner.skipValue()
                }
            }
        }
        try scanner.expectEnd()
        self = said
    }

    private mutating func readSystem(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "uptime": if let seconds = try scanner.anyNumber() { keep(uptime: seconds) }
            case "ver": if let text = try scanner.anyText() { keep(version: text) }
            case "reset_reason":
                if let reason = try scanner.anyNumber().flatMap({ Int(exactly: $0) }) {
                    keep(reset: Self.resetReasons[reason] ?? "\(reason)")
                }
            case "available_updates":
                try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
                    guard name == "stable" else { return try scanner.skipValue() }
                    try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
                        guard name == "version" else { return try scanner.skipValue() }
                        if let text = try scanner.anyText() { keep(newer: text) }
                    }
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The reasons of an ESP32's start by their numbers (`esp_reset_reason_t`), in the words of our sketch.
    private static let resetReasons = [
        1: "poweron", 2: "external", 3: "software", 4: "panic", 5: "watchdog", 6: "watchdog", 7: "watchdog",
        8: "deepsleep", 9: "brownout",
    ]

    private mutating func readRadio(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
            guard name == "rssi" else { return try scanner.skipValue() }
            if let dBm = try scanner.anyNumber() { keep(signal: dBm) }
        }
    }

    private mutating func readPower(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var (percent, isOnMains): (Double?, Bool) = (nil, false)
        try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
            guard name == "battery" || name == "external" else { return try scanner.skipValue() }
            try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
                switch (name, try scanner.peek()) {
                case ("percent", _): percent = try scanner.anyNumber()
                case ("present", .literal): isOnMains = try scanner.literal() ?? false
                default: try scanner.skipValue()
                }
            }
        }
        // Fed from outside, it says 0 % of a battery that is not there.
        if let percent, !isOnMains { keep(battery: percent) }
    }

    /// The status that a Shelly of the first generation publishes on `info`:
    ///
    ///     {"wifi_sta":{"connected":true,"ssid":"shed","ip":"192.168.0.101","rssi":-37},"uptime":2268,"has_update":true,
    ///      "update":{"has_update":true,"new_version":"20220209-092750/v1.11.8-g8c7bb8d","old_version":"20201124-091217/v1.9.0@57ac4ad8"}}
    init(shellyInfo bytes: [UInt8]) throws(JSONScanner.Fault) {
        var said = LifeReport(.shellyGen1)
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch name {
            case "wifi_sta": try said.readRadio(&scanner)
            case "uptime": if let seconds = try scanner.anyNumber() { said.keep(uptime: seconds) }
            case "update": try said.readUpdate(&scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        self = said
    }

    private mutating func readUpdate(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var (isOffered, newer): (Bool, String?) = (false, nil)
        try scanner.forEachMemberIfObject { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("has_update", .literal): isOffered = try scanner.literal() ?? false
            case ("new_version", .string): newer = try scanner.string()
            case ("old_version", .string): keep(version: try scanner.string())
            default: try scanner.skipValue()
            }
        }
        if isOffered, let newer { keep(newer: newer) }
    }
}
