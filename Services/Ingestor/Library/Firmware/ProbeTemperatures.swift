import WaterQuality

/// The temperatures in a message, one of which is the water's.
///
/// A device has one temperature. The first probe heard of measures it until somebody names another; the other probes
/// are noted beside it, for people to choose from, and otherwise passed over.
struct ProbeTemperatures {
    /// The device's temperature probe: the one already known, or the first in the message.
    private(set) var probe: ProbeID?
    /// The unit of all values, as firmware spells it.
    var unit = "C"

    private var all: [Temperature] = []

    private struct Temperature {
        var probe: ProbeID?
        /// nil where the message says `null`, or a word.
        var value: Double?
    }

    init(probe: ProbeID?) { self.probe = probe }

    /// - Parameters:
    ///   - value: nil where the probe reports nothing, NaN where it reports a fault.
    ///   - probe: nil where nothing names the probe.
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
            // Text counts as a number or as printf's `nan`; any other word is no value.
            return JSONScanner.number(in: text) ?? (text.lowercased() == "nan" ? .nan : nil)
        default:
            try scanner.skipValue()
            return nil
        }
    }

    /// Puts the water's temperature into the payload, once all of the message are in.
    /// - Parameter isWhole: Whether the message has all probes that answer, so that a known probe that is not among
    ///   them is missing.
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

    /// Whether all probes of a line read 0.0 °C at once, as they do when the line is shorted: every bit reads as 0,
    /// which passes a DS18B20's checksum. One probe alone may be in freezing water.
    private var isShorted: Bool {
        let ofLine = all.filter { $0.probe != nil }
        return ofLine.count > 1 && ofLine.allSatisfy { celsius($0) == 0 }
    }

    private func celsius(_ temperature: Temperature) -> Float? {
        guard let value = temperature.value, let unit = Parameter.temperature.quantity(spelling: unit)?.unit
        else { return nil }
        return Parameter.temperature.canonical(value, in: unit)
    }

    /// Reports of all probes with an Id, once the water's is chosen; empty for a device with one probe. The probe in
    /// the water comes first, so that the bound on reports never cuts it off.
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

/// A device's report of one of its temperature probes.
struct ProbeReport: Equatable, Sendable {
    var probe: ProbeID
    /// In the canonical unit; nil where the probe is broken or reports nothing.
    var temperature: Float?
}

extension ReadingsPayload {
    /// Notes a fault: a second board sent the same parameter.
    mutating func noteSecond(_ parameter: Parameter) {
        note(.secondProbe, "\(parameter.name) came of several boards: the first counts", about: parameter)
    }
}
