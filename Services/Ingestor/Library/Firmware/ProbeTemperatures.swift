import WaterQuality

/// The temperatures of a message, one of which is the water's.
///
/// A device has one temperature. The first probe that is heard of measures it until somebody names another; what other probes say is
/// noted beside it, for people to choose by, and passed over.
struct ProbeTemperatures {
    /// The probe that measures the device's temperature: the one that was known, or the first of the message.
    private(set) var probe: ProbeID?
    /// That of all values, as firmware spells it.
    var unit = "C"

    private var all: [Temperature] = []

    private struct Temperature {
        var probe: ProbeID?
        /// nil where the message says `null`, or a word.
        var value: Double?
    }

    init(probe: ProbeID?) { self.probe = probe }

    /// - Parameters:
    ///   - value: nil where the probe says nothing, not a number where it says that it is broken.
    ///   - probe: nil for one that nothing names.
    mutating func add(_ value: Double?, of probe: ProbeID?) { all.append(Temperature(probe: probe, value: value)) }

    /// Reads a value as firmware writes it.
    static func readValue(_ scanner: inout JSONScanner) throws(JSONScanner.Fault) -> Double? {
        switch try scanner.peek() {
        case .number: return try scanner.number()
        case .notANumber:
            try scanner.notANumber()
            return .nan
        case .string:
            let text = try scanner.string()
            // printf's words for what a probe could not measure are none of its values either.
            return JSONScanner.number(in: text) ?? (text.lowercased() == "nan" ? .nan : nil)
        default:
            try scanner.skipValue()
            return nil
        }
    }

    /// Takes the water's temperature over, once all of the message are in.
    /// - Parameter isWhole: Whether the message has all probes that answer, so that the known one is missed where it is not among them.
    mutating func choose(for payload: inout ReadingsPayload, isWhole: Bool = true) {
        guard let first = all.first(where: { $0.probe != nil }) ?? all.first else { return }
        if all.count(where: { $0.probe == nil }) > 1 { payload.noteSecond(.temperature) }
        guard let probe else {
            probe = first.probe
            return keep(first, for: &payload)
        }
        if let known = all.first(where: { $0.probe == probe }) { return keep(known, for: &payload) }
        guard isWhole else { return }
        payload.note(
            .otherProbe,
            "the temperature of probe \(first.probe?.text ?? "without Id") was not taken: \(probe) measures this device's water, "
                + "until its owner, or `aqua device probe`, names another", about: .temperature)
    }

    private func keep(_ temperature: Temperature, for payload: inout ReadingsPayload) {
        guard let value = temperature.value else { return }
        if temperature.probe != nil, isShorted {
            return payload.noteBroken(.temperature, "all probes say 0.0 C at once: their line is shorted")
        }
        payload.keep(value, unit, .temperature)
    }

    /// Whether all probes of a line say 0.0 °C at once, as they do when it is shorted: what is read then is nothing but noughts, which
    /// pass the check of a DS18B20's answer. One alone may be in water that freezes.
    private var isShorted: Bool {
        let ofLine = all.filter { $0.probe != nil }
        return ofLine.count > 1 && ofLine.allSatisfy { celsius($0) == 0 }
    }

    private func celsius(_ temperature: Temperature) -> Float? {
        guard let value = temperature.value, let unit = Parameter.temperature.quantity(spelling: unit)?.unit
        else { return nil }
        return Parameter.temperature.canonical(value, in: unit)
    }

    /// What each probe with an Id said, once the water's is chosen; nothing of a device with one probe. The probe in the water comes
    /// first, so that a device with very many names it in any case.
    /// - Parameter hasOthers: Whether the device has reported other probes than this one.
    func reports(hasOthers: Bool) -> [ProbeReport] {
        guard hasOthers || all.contains(where: { $0.probe != nil && $0.probe != probe }) else { return [] }
        let isShorted = isShorted
        var reports: [ProbeReport] = []
        for temperature in all {
            guard let id = temperature.probe, !reports.contains(where: { $0.probe == id }) else { continue }
            var report = ProbeReport(probe: id)
            if !isShorted, let celsius = celsius(temperature), !Sentinel.isFault(celsius, of: .temperature) {
                report.temperature = celsius
            }
            reports.insert(report, at: id == probe ? 0 : reports.endIndex)
        }
        return reports
    }

    var isEmpty: Bool { all.isEmpty }
}

/// What a device says of one of its temperature probes.
struct ProbeReport: Equatable, Sendable {
    var probe: ProbeID
    /// In the canonical unit; nil where the probe is broken, or says nothing.
    var temperature: Float?
}

extension ReadingsPayload {
    /// Tells of a second board of a kind.
    mutating func noteSecond(_ parameter: Parameter) {
        note(.secondProbe, "\(parameter.name) came of several boards: the first counts", about: parameter)
    }
}
