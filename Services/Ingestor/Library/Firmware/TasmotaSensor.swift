import Instants
import WaterQuality

/// What Tasmota publishes on `tele/SENSOR`:
///
///     {"Time":"2021-01-02T09:09:44","DS18B20-1":{"Id":"00000566CC39","Temperature":13.3},
///      "DS18B20-2":{"Id":"0000059352D4","Temperature":1.2},"ANALOG":{"pH":7.41},"TempUnit":"C"}
///
/// `Time` is the device's local time, without an offset unless `SetOption52 1` adds one. It is never taken for UTC: where
/// nothing else is said the time of receipt stands in.
///
/// `DS18B20-n` is the n-th probe by address, so that a probe that is added, or lost, renumbers the others: only `Id` names one.
/// A device has one temperature. The first probe that is heard of measures it until somebody names another; what other
/// probes say is noted beside it, for people to choose by, and passed over.
struct TasmotaSensor {
    private(set) var payload = ReadingsPayload()
    /// The probe that measures the device's temperature.
    private(set) var probe: ProbeID?
    /// What each probe with an Id said; nothing for a device with one probe.
    private(set) var reports: [ProbeReport] = []

    private var temperatures: [Temperature] = []
    private var temperatureUnit = "C"

    /// Sensors that are in water. Others measure the air, or the chip.
    private static let sensors = ["DS18", "MAX31850", "ANALOG", "EZO"]

    private static let members = [
        FirmwareMember("pH", "ph"), FirmwareMember("ORP", "orp", in: "mV"),
        FirmwareMember("DO", "dissolved_oxygen", in: "mg/L"), FirmwareMember("EC", "conductivity", in: "uS/cm"),
    ]

    private struct Temperature {
        var probe: ProbeID?
        /// nil where the message says `null`.
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
            case (_, .object) where Self.sensors.contains(where: name.hasPrefix): try readSensor(&scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        if let epoch { payload.keepTime(epoch: epoch) } else if let time { payload.time = .at(time) }
        chooseTemperature()
        if hasOthers || temperatures.contains(where: { $0.probe != nil && $0.probe != self.probe }) { report() }
    }

    private mutating func readSensor(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        var id: String?
        var temperature: Temperature?
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("Id", .string): id = try scanner.string()
            case ("Temperature", .number): temperature = Temperature(value: try scanner.number())
            case ("Temperature", .notANumber):
                try scanner.notANumber()
                temperature = Temperature(value: .nan)
            case ("Temperature", _):
                try scanner.skipValue()
                temperature = Temperature()
            default: try payload.readMember(name, among: Self.members, &scanner)
            }
        }
        guard var temperature else { return }
        temperature.probe = id.flatMap { ProbeID($0) }
        temperatures.append(temperature)
    }

    /// The unit follows the values, so that they are judged last.
    private mutating func chooseTemperature() {
        guard let first = temperatures.first(where: { $0.probe != nil }) ?? temperatures.first else { return }
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

    /// The probe in the water comes first, so that a device with very many names it in any case.
    private mutating func report() {
        let unit = Parameter.temperature.quantity(spelling: temperatureUnit)?.unit
        for temperature in temperatures {
            guard let id = temperature.probe, !reports.contains(where: { $0.probe == id }) else { continue }
            var report = ProbeReport(probe: id)
            if let value = temperature.value, let unit,
                let canonical = Parameter.temperature.canonical(value, in: unit),
                !Sentinel.isFault(canonical, of: .temperature)
            {
                report.temperature = canonical
            }
            reports.insert(report, at: id == probe ? 0 : reports.endIndex)
        }
    }

    private mutating func keep(_ temperature: Temperature) {
        guard let value = temperature.value else { return }
        payload.keep(value, temperatureUnit, .temperature)
    }
}

/// What a device says of one of its temperature probes.
struct ProbeReport: Equatable, Sendable {
    var probe: ProbeID
    /// In the canonical unit; nil where the probe is broken, or says nothing.
    var temperature: Float?
}
