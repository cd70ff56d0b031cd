import Instants
import WaterQuality

/// A message that Tasmota publishes on `tele/SENSOR`:
///
///     {"Time":"2021-01-02T09:09:44","DS18B20-1":{"Id":"00000566CC39","Temperature":13.3},
///      "Pond":{"Id":"0000059352D4","Temperature":1.2},"ANALOG":{"pH1":7.41},"TempUnit":"C"}
///
/// `Time` is the device's local time, without an offset unless `SetOption52 1` adds one. Local time is never taken for
/// UTC: without an offset or an epoch the time of receipt is used.
///
/// `DS18B20-n` is the n-th probe by address, so that adding or losing a probe renumbers the others, and `DS18Alias`
/// puts any word in its place. Only `Id` names a probe, and whatever has an `Id` is one.
///
/// Of several boards of one kind, which have no Id, the first counts.
struct TasmotaSensor {
    private(set) var payload = ReadingsPayload()
    private(set) var temperatures: ProbeTemperatures
    /// Parameters that boards have reported, with or without a value.
    private var heard: ParameterSet = []

    /// Sensors that are in water, by their names' prefix. Others measure the air, or the chip.
    private static let sensors = ["DS18", "MAX31850", "ANALOG", "EZO"]

    /// Members that only an air sensor has; a temperature beside them is the air's.
    private static let membersOfAir: Set<String> = [
        "Humidity", "DewPoint", "HeatIndex", "Pressure", "SeaPressure", "CarbonDioxide",
    ]

    private static let members = [
        FirmwareMember("pH", "ph"), FirmwareMember("ORP", "orp", in: "mV"),
        FirmwareMember("DO", "dissolved_oxygen", in: "mg/L"), FirmwareMember("EC", "conductivity", in: "uS/cm"),
    ]

    /// - Parameter probe: The device's temperature probe, if it is known.
    init(_ bytes: [UInt8], probe: ProbeID?) throws(JSONScanner.Fault) {
        temperatures = ProbeTemperatures(probe: probe)
        var scanner = JSONScanner(bytes)
        var (time, epoch): (Timestamp?, Double?)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("Time", .string): time = Timestamp(try scanner.string())
            // `Time 2` adds seconds as `Epoch`, `Time 3` writes seconds as `Time`, `Time 4` milliseconds.
            case ("Time", .number), ("Epoch", .number): epoch = try scanner.number()
            case ("TempUnit", .string): temperatures.unit = try scanner.string()
            case (_, .object): try readSensor(name, &scanner)
            default: try scanner.skipValue()
            }
        }
        try scanner.expectEnd()
        if let epoch { payload.keepTime(epoch: epoch) } else if let time { payload.time = .at(time) }
        temperatures.choose(for: &payload)
    }

    private mutating func readSensor(_ name: String, _ scanner: inout JSONScanner) throws(JSONScanner.Fault) {
        let isOfWater = Self.sensors.contains(where: name.hasPrefix)
        let isNumbered = name.hasPrefix("ANALOG")
        var (probe, isOfAir): (ProbeID?, Bool) = (nil, false)
        var found: [Double?] = []
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            if Self.membersOfAir.contains(name) { isOfAir = true }
            let kind = isNumbered ? Self.withoutNumber(name) : name
            switch (kind, try scanner.peek()) {
            case ("Id", .string): probe = ProbeID(try scanner.string())
            case ("Temperature", _): found.append(try ProbeTemperatures.readValue(&scanner))
            case (_, _) where isOfWater: try readMember(kind, &scanner)
            default: try scanner.skipValue()
            }
        }
        guard isOfWater || probe != nil, !isOfAir else { return }
        for value in found { temperatures.add(value, of: probe) }
    }

    /// Reads a board's values other than temperature. The first board that reports a parameter is the water's, even
    /// without a value now: which of two boards counts must not be a matter of chance.
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

    /// A name without its number: an analog input adds one to what it measures, as in `pH1` or `Temperature2`; an
    /// ESP8266, which has a single input, `pH0`.
    private static func withoutNumber(_ name: String) -> String {
        let digits = name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        return digits <= 2 ? String(name.dropLast(digits)) : name
    }
}
