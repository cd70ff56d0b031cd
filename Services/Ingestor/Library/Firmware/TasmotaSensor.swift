import Instants
import WaterQuality

/// What Tasmota publishes on `tele/SENSOR`:
///
///     {"Time":"2021-01-02T09:09:44","DS18B20-1":{"Id":"00000566CC39","Temperature":13.3},
///      "Pond":{"Id":"0000059352D4","Temperature":1.2},"ANALOG":{"pH1":7.41},"TempUnit":"C"}
///
/// `Time` is the device's local time, without an offset unless `SetOption52 1` adds one. It is never taken for UTC: where
/// nothing else is said the time of receipt stands in.
///
/// `DS18B20-n` is the n-th probe by address, so that a probe that is added, or lost, renumbers the others, and `DS18Alias` puts any
/// word in its place: only `Id` names a probe, and what has one is one. A device has one temperature. The first probe that is heard
/// of measures it until somebody names another; what other probes say is noted beside it, for people to choose by, and passed over.
///
/// Of several boards of one kind, which have no Id, the first counts.
struct TasmotaSensor {
    private(set) var payload = ReadingsPayload()
    /// The probe that measures the device's temperature.
    private(set) var probe: ProbeID?
    /// What each probe with an Id said; nothing for a device with one probe.
    private(set) var reports: [ProbeReport] = []

    private var temperatures: [Temperature] = []
    private var temperatureUnit = "C"
    /// What boards have said, whether it was a value or not.
    private var heard: ParameterSet = []

    /// Sensors that are in water, by the beginning of their names. Others measure the air, or the chip.
    private static let sensors = ["DS18", "MAX31850", "ANALOG", "EZO"]

    /// What only a sensor of the air says, beside a temperature that is then the air's.
    private static let membersOfAir: Set<String> = [
        "Humidity", "DewPoint", "HeatIndex", "Pressure", "SeaPressure", "CarbonDioxide",
    ]

    private static let members = [
        FirmwareMember("pH", "ph"), FirmwareMember("ORP", "orp", in: "mV"),
        FirmwareMember("DO", "dissolved_oxygen", in: "mg/L"), FirmwareMember("EC", "conductivity", in: "uS/cm"),
    ]

    private struct Temperature {
        var probe: ProbeID?
        /// nil where the message says `null`, or a word.
        var value: Double?
    }

    /// - Parameter hasOthers: Whether the device has reported other probes than this one.
    init(_ bytes: [UInt8], probe: ProbeID?, hasOthers: Bool = false) throws(JSONScanner.Fault) {
        self.probe = probe
        var scanner = JSONScanner(bytes)
        var (time, epoch): (Timestamp?, Double?)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("Time", .string): time = Timestamp(try scanner.string())
            // `Time 2` adds seconds as `Epoch`, `Time 3` writes seconds as `Time`, `Time 4` milliseconds.
            case ("Time", .number), ("Epoch", .number): epoch = try scanner.number()
            case ("TempUnit", .string): temperatureUnit = try scanner.string()
            case (_, .object): try readSensor(name, &scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        if let epoch { payload.keepTime(epoch: epoch) } else if let time { payload.time = .at(time) }
        chooseTemperature()
        if hasOthers || temperatures.contains(where: { $0.probe != nil && $0.probe != self.probe }) { report() }
    }

    private mutating func readSensor(_ name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        let isOfWater = Self.sensors.contains(where: name.hasPrefix)
        let isNumbered = name.hasPrefix("ANALOG")
        var (probe, isOfAir): (ProbeID?, Bool) = (nil, false)
        var found: [Temperature] = []
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            if Self.membersOfAir.contains(name) { isOfAir = true }
            let kind = isNumbered ? Self.withoutNumber(name) : name
            switch (kind, try scanner.peek()) {
            case ("Id", .string): probe = ProbeID(try scanner.string())
            case ("Temperature", _): found.append(try Self.readTemperature(&scanner))
            case (_, _) where isOfWater: try readMember(kind, &scanner)
            default: try scanner.skipValue()
            }
        }
        guard isOfWater || probe != nil, !isOfAir else { return }
        temperatures += found.map { Temperature(probe: probe, value: $0.value) }
    }

    private static func readTemperature(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Temperature {
        switch try scanner.peek() {
        case .number: return Temperature(value: try scanner.number())
        case .notANumber:
            try scanner.notANumber()
            return Temperature(value: .nan)
        case .string:
            let text = try scanner.string()
            // printf's words for what a probe could not measure are none of its values either.
            return Temperature(value: JSONScanner.number(in: text) ?? (text.lowercased() == "nan" ? .nan : nil))
        default:
            try scanner.skipValue()
            return Temperature()
        }
    }

    /// Reads what a board says beside a temperature. The first that says it is the water's, even when it has no value now: which of two
    /// answers must not be a matter of chance.
    private mutating func readMember(_ name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        guard let parameter = Self.members.first(where: { $0.name == name })?.parameter else {
            return try scanner.skipValue()
        }
        guard heard.insert(ParameterSet(parameter)).inserted else {
            try scanner.skipValue()
            return payload.noteSecond(parameter)
        }
        try payload.readMember(name, among: Self.members, &scanner)
    }

    /// An analog input writes its number behind what it measures: `pH1`, `Temperature2`; an ESP8266, which has one, `pH0`.
    private static func withoutNumber(_ name: String) -> String {
        let digits = name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        return digits <= 2 ? String(name.dropLast(digits)) : name
    }

    /// The unit follows the values, so that they are judged last.
    private mutating func chooseTemperature() {
        guard let first = temperatures.first(where: { $0.probe != nil }) ?? temperatures.first else { return }
        if temperatures.count(where: { $0.probe == nil }) > 1 { payload.noteSecond(.temperature) }
        guard let probe else {
            probe = first.probe
            return keep(first)
        }
        if let known = temperatures.first(where: { $0.probe == probe }) { return keep(known) }
        payload.note(
            .otherProbe,
            "the temperature of probe \(first.probe?.text ?? "without Id") was not taken: \(probe) measures this device's water, "
                + "until its owner, or `aqua device probe`, names another", about: .temperature)
    }

    /// Whether all probes of a line say 0.0 °C at once, as they do when it is shorted: what is read then is nothing but noughts, which
    /// pass the check of a DS18B20's answer. One alone may be in water that freezes.
    private var isShorted: Bool {
        let ofLine = temperatures.filter { $0.probe != nil }
        return ofLine.count > 1 && ofLine.allSatisfy { celsius($0) == 0 }
    }

    private func celsius(_ temperature: Temperature) -> Float? {
        guard let value = temperature.value, let unit = Parameter.temperature.quantity(spelling: temperatureUnit)?.unit
        else { return nil }
        return Parameter.temperature.canonical(value, in: unit)
    }

    /// The probe in the water comes first, so that a device with very many names it in any case.
    private mutating func report() {
        let isShorted = isShorted
        for temperature in temperatures {
            guard let id = temperature.probe, !reports.contains(where: { $0.probe == id }) else { continue }
            var report = ProbeReport(probe: id)
            if !isShorted, let celsius = celsius(temperature), !Sentinel.isFault(celsius, of: .temperature) {
                report.temperature = celsius
            }
            reports.insert(report, at: id == probe ? 0 : reports.endIndex)
        }
    }

    private mutating func keep(_ temperature: Temperature) {
        guard let value = temperature.value else { return }
        if temperature.probe != nil, isShorted {
            return payload.noteBroken(.temperature, "all probes say 0.0 C at once: their line is shorted")
        }
        payload.keep(value, temperatureUnit, .temperature)
    }
}

extension ReadingsPayload {
    /// Tells of a second board of a kind.
    fileprivate mutating func noteSecond(_ parameter: Parameter) {
        note(.secondProbe, "\(parameter.name) came of several boards: the first counts", about: parameter)
    }
}

/// What a device says of one of its temperature probes.
struct ProbeReport: Equatable, Sendable {
    var probe: ProbeID
    /// In the canonical unit; nil where the probe is broken, or says nothing.
    var temperature: Float?
}
