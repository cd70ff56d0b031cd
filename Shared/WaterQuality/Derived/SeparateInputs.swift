package import Instants

/// A device's last inputs of derived parameters, for devices that send each input in a message of its own.
///
/// An input is valid for two minutes and used once: a derived value needs new values of all its inputs, so that no
/// measurement confirms itself. Salinity and conductivity may be used repeatedly. A parameter that the device sends
/// itself is not computed.
package struct SeparateInputs: Sendable {
    /// The largest age of an input relative to the message.
    package static let within = Duration.seconds(120)
    /// The time for which a device that sent salinity, conductivity or a derived parameter is expected to send it
    /// again.
    package static let expectedFor = Duration.seconds(86_400)

    private struct Value: Sendable {
        let parameter: Parameter
        var value: Float
        var at: Timestamp
    }

    /// The last value of each input and derived parameter heard of.
    private var values: [Value] = []
    /// The last time at which each derivation had all its inputs.
    private var usedAt: [Timestamp?] = Array(repeating: nil, count: Derivation.all.count)

    package init() {}

    private static let salts: [Parameter] = [.salinity, .conductivity]
    private static let inputs =
        Derivation.all.reduce(UInt32(0)) { $0 | $1.needed } | salts.reduce(UInt32(0)) { $0 | $1.bit }
    private static let known = inputs | Derivation.parameters

    /// Takes a message.
    /// - Parameters:
    ///   - readings: The values sent. Only values newer than the known ones replace them.
    ///   - broken: The parameters with broken probes, whose earlier values are dropped.
    package mutating func take(_ readings: Readings, broken: ParameterSet = [], at time: Timestamp) {
        if !broken.isEmpty { values.removeAll { broken.contains(ParameterSet($0.parameter)) && $0.at <= time } }
        Parameter.forEach(in: readings.present & Self.known) { parameter in
            guard let value = readings[parameter] else { return }
            guard let index = values.firstIndex(where: { $0.parameter == parameter }) else {
                return values.append(Value(parameter: parameter, value: value, at: time))
            }
            if values[index].at <= time { (values[index].value, values[index].at) = (value, time) }
        }
        for index in Derivation.all.indices where readings.hasAll(Derivation.all[index].needed) { use(index, at: time) }
    }

    /// Takes a stored row, with the derivations that were computed for it.
    package mutating func recall(_ stored: Readings, derivedApart: DerivationSet, at time: Timestamp) {
        var sent = stored
        for (index, derivation) in Derivation.all.enumerated() {
            guard let value = stored[derivation.parameter] else { continue }
            let isDerived =
                derivedApart.contains(DerivationSet(index: index))
                || stored.hasAll(derivation.needed) && derivation.value(of: stored) == value
            guard isDerived else { continue }
            sent[derivation.parameter] = nil
            use(index, at: time)
        }
        take(sent, at: time)
    }

    /// Forgets all values. What was used stays used.
    package mutating func forgetValues() { values = [] }

    /// Forgets a parameter, because another probe measures it now.
    package mutating func forget(_ parameter: Parameter) { values.removeAll { $0.parameter == parameter } }

    /// Whether a derivation of the device's inputs has had no value for as long as inputs are valid, and lacks some
    /// now.
    package func starves(_ readings: Readings, at time: Timestamp) -> Bool {
        let heard = values.reduce(readings.present) { heard, value in
            time - value.at <= Self.expectedFor ? heard | value.parameter.bit : heard
        }
        return Derivation.all.enumerated().contains { index, derivation in
            readings.lacks(derivation) && heard & (derivation.needed | derivation.parameter.bit) == derivation.needed
                && usedAt[index].map { time - $0 > Self.within } ?? true
        }
    }

    /// The inputs that a message lacks; they count as used afterwards. Call it before `take`.
    package mutating func complement(_ readings: Readings, at time: Timestamp) -> Complement {
        var complement = Complement()
        for (index, derivation) in Derivation.all.enumerated() where readings.lacks(derivation) {
            guard value(derivation.parameter, at: time, within: Self.expectedFor) == nil,
                let inputs = inputs(of: derivation, index, for: readings, at: time)
            else { continue }
            _ = complement.inputs.fill(from: inputs)
            complement.derivations.insert(DerivationSet(index: index))
            use(index, at: time)
        }
        return complement
    }

    private func inputs(
        of derivation: Derivation, _ index: Int, for readings: Readings, at time: Timestamp
    ) -> Readings? {
        var found = Readings()
        for input in derivation.inputs where readings[input] == nil {
            guard let last = value(input, at: time, within: Self.within), usedAt[index].map({ last.at > $0 }) ?? true
            else { return nil }
            found[input] = last.value
        }
        guard Self.salts.allSatisfy({ readings[$0] == nil }) else { return found }
        // Without its salinity, salt water would count as fresh.
        guard let salt = Self.salts.first(where: { value($0, at: time, within: Self.expectedFor) != nil }) else {
            return found
        }
        guard let last = value(salt, at: time, within: Self.within) else { return nil }
        found[salt] = last.value
        return found
    }

    private func value(_ parameter: Parameter, at time: Timestamp, within age: Duration) -> Value? {
        values.first { $0.parameter == parameter && $0.at <= time && time - $0.at <= age }
    }

    private mutating func use(_ index: Int, at time: Timestamp) {
        if let former = usedAt[index], former >= time { return }
        usedAt[index] = time
    }

    /// Inputs from other messages, and the derivations that need them.
    package struct Complement: Sendable {
        package fileprivate(set) var inputs = Readings()
        package fileprivate(set) var derivations: DerivationSet = []
        package init() {}

        package var isEmpty: Bool { derivations.isEmpty }

        /// Adds the inputs that a later part of the same moment lacked.
        package mutating func add(_ other: Complement) {
            _ = inputs.fill(from: other.inputs)
            derivations.formUnion(other.derivations)
        }
    }
}

/// A set of derivations, by their position in `Derivation.all`.
package struct DerivationSet: OptionSet, Hashable, Sendable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }
    package init(index: Int) { rawValue = 1 << Int16(index) }
}

extension Derivation {
    /// The bits of all derived parameters.
    package static let parameters = all.reduce(UInt32(0)) { $0 | $1.parameter.bit }
}

extension Readings {
    fileprivate func hasAll(_ needed: UInt32) -> Bool { present & needed == needed }

    /// Whether some inputs are present and others missing, and the parameter itself is missing.
    fileprivate func lacks(_ derivation: Derivation) -> Bool {
        let own = present & derivation.needed
        return own != 0 && own != derivation.needed && present & derivation.parameter.bit == 0
    }

    /// Computes derived values from these readings and inputs of other messages.
    /// - Parameter sent: The bits of the parameters that the device sends itself, which are not computed.
    /// - Returns: The derivations computed.
    package mutating func derive(with complement: SeparateInputs.Complement, sent: UInt32) -> DerivationSet {
        var all = self
        _ = all.fill(from: complement.inputs)
        var derived: DerivationSet = []
        for (index, derivation) in Derivation.all.enumerated() {
            guard complement.derivations.contains(DerivationSet(index: index)), lacks(derivation),
                sent & derivation.parameter.bit == 0, let value = derivation.value(of: all)
            else { continue }
            self[derivation.parameter] = value
            derived.insert(DerivationSet(index: index))
        }
        return derived
    }
}
