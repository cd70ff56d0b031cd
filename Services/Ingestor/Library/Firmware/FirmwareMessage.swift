import WaterQuality

/// What a message of other firmware says, whichever wrote it. The topic tells the firmware.
///
/// Firmware reports its chip, its radio and its room as well. What is not about water is passed over without a fault.
struct FirmwareMessage: Equatable, Sendable {
    /// What was measured at each moment: several only where the firmware gathers them, none where it tells of other things too and a
    /// message has no water.
    private(set) var moments: [ReadingsPayload]
    /// The probe by which the device measures its temperature: the one that was known, or the first that is heard of.
    private(set) var probe: ProbeID?
    /// What each of several probes said.
    private(set) var reports: [ProbeReport] = []

    /// - Parameters:
    ///   - subject: None of our own topics, and no status.
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
            case .shellyEvents, .shellyStatus, .shellyTemperatures:
                let message = try ShellyStatus(bytes, on: subject, probe: probe)
                let isOfWater = !message.payload.readings.isEmpty || !message.payload.faults.isEmpty
                moments = isOfWater ? [message.payload] : []
                note(message.temperatures, hasOthers)
            case .readings, .status, .tasmotaWill, .zigbee2MQTTAvailability, .shellyOnline:
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

    /// Whether firmware calls something of its own so, which is passed over.
    static func isOfItself(_ name: String) -> Bool { ofItself.contains(name) }

    private static let ofItself: Set<String> = [
        "uptime", "uptime_sensor", "wifi_signal", "wifi_signal_db", "wifi_signal_percent", "wifi_signal_sensor", "rssi",
        "internal_temperature", "esp32_temperature", "cpu_temperature", "free_heap", "heap_free", "heap_max_block",
        "loop_time",
        "free_memory", "battery", "battery_level", "battery_voltage",
    ]

    /// What tells a message from a repetition of the one before.
    func fingerprint(of bytes: [UInt8], on subject: Topic.Subject) -> Int {
        var hasher = Hasher()
        switch subject {
        case .zigbee2MQTT, .shellyEvents, .shellyStatus:
            // Each sighting by radio repeats all values, with another signal strength and another time. A Shelly may say the same on
            // both of its topics: a bad reading must not confirm itself.
            for moment in moments {
                moment.readings.forEachPresent { parameter, value in
                    hasher.combine(parameter)
                    hasher.combine(value)
                }
            }
        case .number(let parameter, _):
            hasher.combine(parameter)
            hasher.combine(bytes)
        default: hasher.combine(bytes)
        }
        return hasher.finalize()
    }
}

extension ReadingsPayload {
    /// 85 °C is what a DS18B20 holds from power-on until its first measurement, and no water that anything lives in.
    fileprivate mutating func distrustPowerOn() {
        guard let temperature = readings[.temperature], abs(temperature - 85) < 0.05 else { return }
        readings[.temperature] = nil
        noteBroken(.temperature, "temperature 85 C says that its probe has not measured since it was switched on")
    }
}

/// A member of a firmware's JSON that is about water, and the parameter and unit that it stands for.
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
    /// Reads the value of a member that is among these, and passes over any other.
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

    /// Makes sure that nothing follows.
    mutating func expectEnd() throws(Fault) {
        guard isAtEnd() else { throw fault }
    }
}
