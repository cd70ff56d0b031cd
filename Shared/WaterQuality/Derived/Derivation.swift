/// A parameter that is computed from others of the same moment, where the device does not send it itself. Its values are
/// stored and judged like any others.
package struct Derivation: Sendable {
    package let parameter: Parameter
    /// What it is computed from. Where one of them is missing there is no value.
    package let inputs: [Parameter]
    /// The bits of `inputs`.
    let needed: UInt32
    private let formula: @Sendable (Readings) -> Double?

    /// - Parameter formula: Is asked only where all inputs are there.
    private init(_ parameter: Parameter, from inputs: [Parameter], _ formula: @escaping @Sendable (Readings) -> Double?)
    {
        self.parameter = parameter
        self.inputs = inputs
        self.formula = formula
        needed = inputs.reduce(0) { $0 | $1.bit }
    }

    /// - Returns: `nil` where the formula does not hold.
    func value(of readings: Readings) -> Float? {
        guard let value = formula(readings).map({ Float($0) }), value.isFinite else { return nil }
        return value
    }

    package static let all = [
        Derivation(.oxygenSaturation, from: [.dissolvedOxygen, .temperature]) { readings in
            guard let salinity = readings.waterSalinity else { return nil }
            return OxygenSaturation.percent(
                oxygen: readings.double(.dissolvedOxygen), temperature: readings.double(.temperature),
                salinity: salinity)
        },
        Derivation(.freeAmmonia, from: [.ammonia, .ph, .temperature]) { readings in
            guard let salinity = readings.waterSalinity else { return nil }
            return FreeAmmonia.mass(
                ofTotal: readings.double(.ammonia), temperature: readings.double(.temperature),
                ph: readings.double(.ph), salinity: salinity)
        },
        Derivation(.carbonDioxide, from: [.alkalinity, .ph]) { readings in
            guard let salinity = readings.waterSalinity else { return nil }
            return CarbonDioxide.estimate(
                alkalinity: readings.double(.alkalinity), ph: readings.double(.ph), salinity: salinity)
        },
    ]
}

extension Readings {
    /// Adds what can be computed from the values here and was not sent.
    package mutating func derive() {
        for derivation in Derivation.all
        where present & (derivation.needed | derivation.parameter.bit) == derivation.needed {
            self[derivation.parameter] = derivation.value(of: self)
        }
    }

    /// Computes once more what follows from the readings here, now that others of the same moment are known to be stored.
    ///
    /// What is stored already stays, and so does what the device sent itself.
    package mutating func derive(with stored: Readings) {
        var all = stored
        _ = all.fill(from: self)
        for derivation in Derivation.all where stored[derivation.parameter] == nil {
            let own = self[derivation.parameter]
            let isSent =
                own != nil && (present & derivation.needed != derivation.needed || derivation.value(of: self) != own)
            guard !isSent, all.present & derivation.needed == derivation.needed else { continue }
            self[derivation.parameter] = derivation.value(of: all)
        }
    }

    /// The practical salinity: as it was sent, else as the conductivity has it. A device that sends neither is in fresh water, as
    /// far as anybody can tell.
    ///
    /// - Returns: `nil` where what was sent is no salinity.
    fileprivate var waterSalinity: Double? {
        if let salinity = self[.salinity] {
            // Of fresh water, by a probe that has drifted.
            return (-0.5..<0).contains(salinity) ? 0 : Double(salinity)
        }
        guard let conductivity = self[.conductivity] else { return 0 }
        return PracticalSalinity.microsiemens.toCanonical(Double(conductivity))
    }

    /// A value that is known to be there.
    fileprivate func double(_ parameter: Parameter) -> Double { Double(self[parameter] ?? .nan) }
}

extension Parameter {
    /// How this parameter is computed where a device does not send it; `nil` for what only a probe can tell.
    package var derivation: Derivation? { Derivation.all.first { $0.parameter == self } }
}

extension ParameterSet {
    /// Those of which all inputs are here as well: they come and go with them, so that nobody has to be told of both.
    package var derivable: ParameterSet {
        Derivation.all.reduce(into: []) { found, derivation in
            let inputs = ParameterSet(rawValue: Int32(bitPattern: derivation.needed))
            if isSuperset(of: inputs), contains(ParameterSet(derivation.parameter)) {
                found.insert(ParameterSet(derivation.parameter))
            }
        }
    }
}
