import WaterQuality

/// A message of other firmware, decoded whichever firmware wrote it. The topic tells which.
///
/// Firmware reports its chip, its radio and its room as well. Whatever is not about water is passed over without a fault.
struct FirmwareMessage: Equatable, Sendable {
    /// Measurements of each moment: several only where the firmware collects them, none where a message is about other things.
    private(set) var moments: [ReadingsPayload]
    /// The device's temperature probe: the one already known, or the first heard of.
    private(set) var probe: ProbeID?
    /// Reports of the probes, where there are several.
    private(set) var reports: [ProbeReport] = []

    /// - Parameters:
    ///   - subject: A subject of other firmware's readings: none of our own, and no status.
    ///   - probe: The device's temperature probe, if it is known.
    ///   - hasOthers: Whether the device has reported other probes.
    /// - Throws: `RejectReason` when nothing of the message can be used.
    init(
        _ bytes: [UInt8], on subject: Topic.Subject, probe: ProbeID? = nil, hasOthers: Bool = false
    ) throws(RejectReason) {
        guard bytes.count <= ReadingsPayload.largest else { throw .tooLarge }
        self.probe = probe
        do throws(JSONScanner.Fault) {
            switch subject {
            case .tasmotaSensor:
                let message = try TasmotaSensor(bytes, probe: probe)
                moments = [message.payload]
                note(message.temperatures, hasOthers)
            case .number(let parameter, let unit):
                moments = [try ReadingsPayload(number: bytes, of: parameter, in: unit)]
            case .zigbee2MQTT:
                moments = [try ReadingsPayload(zigbee2MQTT: bytes)]
            case .senML:
                moments = try SenMLPack(bytes).moments
            case .observation(let parameter):
                moments = [try ReadingsPayload(observation: bytes, of: parameter)]
            case .shellyEvents, .shellyStatus, .shellyTemperatures:
                let message = try ShellyStatus(bytes, on: subject, probe: probe)
                let isOfWater = !message.payload.readings.isEmpty || !message.payload.faults.isEmpty
                moments = isOfWater ? [message.payload] : []
                note(message.temperatures, hasOthers)
            case .readings, .status, .life, .tasmotaWill, .zigbee2MQTTAvailability, .shellyOnline:
                preconditionFailure("\(subject) is no subject of other firmware's readings")
            }
        } catch {
            throw .malformed
        }
        for index in moments.indices { moments[index].distrustPowerOn() }
    }

    private mutating func note(_ temperatures: ProbeTemperatures, _ hasOthers: Bool) {
        probe = temperatures.probe
        reports = temperatures.reports(hasOthers: hasOthers)
    }

    /// Whether firmware uses this name for itself (its chip, radio or battery), so that it is passed over.
    static func isOfItself(_ name: String) -> Bool { ofItself.contains(name) }

    private static let ofItself: Set<String> = [
        "uptime", "uptime_sensor", "wifi_signal", "wifi_signal_db", "wifi_signal_percent", "wifi_signal_sensor", "rssi",
        "internal_temperature", "esp32_temperature", "cpu_temperature", "free_heap", "heap_free", "heap_max_block",
        "loop_time",
        "free_memory", "battery", "battery_level", "battery_voltage",
    ]

    /// Hash by which a repetition of the previous message is recognised.
    func fingerprint(of bytes: [UInt8], on subject: Topic.Subject) -> Int {
        var hasher = Hasher()
        switch subject {
        case .zigbee2MQTT, .shellyEvents, .shellyStatus:
            // Values only: each radio reception repeats them with another signal strength and time, and a Shelly may
            // send the same on both of its topics. A bad reading must not confirm itself.
            for moment in moments {
                moment.readings.forEachPresent { parameter, value in
                    hasher.combine(parameter)
                    hasher.combine(value)
                }
            }
        case .number(let parameter, _):
            hasher.combine(parameter)
            hasher.combine(bytes)
        case .observation(let parameter):
            hasher.combine(parameter)
            hasher.combine(bytes)
        default: hasher.combine(bytes)
        }
        return hasher.finalize()
    }
}

extension ReadingsPayload {
    /// Counts 85 °C as a broken probe: a DS18B20 holds it from power-on until its first measurement, and nothing lives
    /// in such water.
    fileprivate mutating func distrustPowerOn() {
        guard let temperature = readings[.temperature], abs(temperature - 85) < 0.05 else { return }
        readings[.temperature] = nil
        noteBroken(.temperature, "temperature 85 C says that its probe has not measured since it was switched on")
    }
}

/// A member of a firmware's JSON that is about water, with its parameter and unit.
struct FirmwareMember: Sendable {
    let name: String
    private let parameterName: String
    let unit: String?

    init(_ name: String, _ parameterName: String, in unit: String? = nil) {
        self.name = name
        self.parameterName = parameterName
        self.unit = unit
    }

    /// nil while the catalogue has no such parameter.
    var parameter: Parameter? { Parameter(name: parameterName) }
}

extension ReadingsPayload {
    /// Reads the value of a listed member; passes over any other.
    mutating func readMember(
        _ name: String, among members: [FirmwareMember], _ scanner: inout JSONScanner
    ) throws(JSONScanner.Fault) {
        guard let member = members.first(where: { $0.name == name }), let parameter = member.parameter else {
            return try scanner.skipValue()
        }
        try readValue(of: parameter, in: member.unit, &scanner)
    }
}

extension JSONScanner {
    /// Reads an object: `body` reads the value of each member.
    mutating func forEachMember(
        _ body: (String, inout JSONScanner) throws(Fault) -> Void
    ) throws(Fault) {
        try expect(UInt8(ascii: "{"))
        if take(UInt8(ascii: "}")) { return }
        repeat {
            let name = try string()
            try expect(UInt8(ascii: ":"))
            try body(name, &self)
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    /// Throws unless the text ends here.
    mutating func expectEnd() throws(Fault) {
        guard isAtEnd() else { throw fault }
    }
}
