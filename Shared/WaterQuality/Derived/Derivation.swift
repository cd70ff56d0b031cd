/// A parameter computed from others of the same moment, for devices that do not send it themselves. Its values are
/// stored and evaluated like any others.
package struct Derivation: Sendable {
    package let parameter: Parameter
    /// The parameters of the formula; without one of them there is no value.
    package let inputs: [Parameter]
    /// The bits of `inputs`.
    let needed: UInt32
    private let formula: @Sendable (Readings) -> Double?

    /// - Parameter formula: Called only if all inputs are present.
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
    /// Adds derived values whose inputs are present and which the device did not send.
    package mutating func derive() {
        for derivation in Derivation.all
        where present & (derivation.needed | derivation.parameter.bit) == derivation.needed {
            self[derivation.parameter] = derivation.value(of: self)
        }
    }

    /// Computes derived values again, once other readings of the same moment are known to be stored.
    ///
    /// Stored values stay, and so do values that the device sent itself.
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

    /// The practical salinity: the one sent, otherwise computed from the conductivity. Without either, the water counts
    /// as fresh.
    ///
    /// - Returns: `nil` if the value sent is no valid salinity.
    fileprivate var waterSalinity: Double? {
        if let salinity = self[.salinity] {
            // Fresh water, measured by a probe that has drifted.
            return (-0.5..<0).contains(salinity) ? 0 : Double(salinity)
        }
        guard let conductivity = self[.conductivity] else { return 0 }
        return PracticalSalinity.microsiemens.toCanonical(Double(conductivity))
    }

    /// A value that is known to be present.
    fileprivate func double(_ parameter: Parameter) -> Double { Double(self[parameter] ?? .nan) }
}

extension Parameter {
    /// The computation of this parameter for devices that do not send it; `nil` if only a probe can measure it.
    package var derivation: Derivation? { Derivation.all.first { $0.parameter == self } }
}

extension ParameterSet {
    /// The set with the parameters that are computed from it: a wrong input has made them wrong, too. Salinity and conductivity count as inputs
    /// of all, because they say which water it is.
    package var withDerived: ParameterSet {
        let water: ParameterSet = [ParameterSet(.salinity), ParameterSet(.conductivity)]
        return Derivation.all.reduce(into: self) { found, derivation in
            let inputs = ParameterSet(mask: derivation.needed).union(water)
            if !isDisjoint(with: inputs) { found.insert(ParameterSet(derivation.parameter)) }
        }
    }

    /// Derived parameters whose inputs are all present: they come and go with their inputs, so one message about both
    /// is enough.
    package var derivable: ParameterSet {
        Derivation.all.reduce(into: []) { found, derivation in
            let inputs = ParameterSet(rawValue: Int32(bitPattern: derivation.needed))
            if isSuperset(of: inputs), contains(ParameterSet(derivation.parameter)) {
                found.insert(ParameterSet(derivation.parameter))
            }
        }
    }
}
