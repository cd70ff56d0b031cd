package import Instants
package import WaterQuality

/// One message as a row of `sample`. A message that only reports broken probes makes no row.
package struct Sample: Sendable {
    /// Facts about a row, in `sample.flags`.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: Int16
        package init(rawValue: Int16) { self.rawValue = rawValue }

        /// The event time is the time of receipt: the device sent no time, or one that was not believed.
        package static let timedByReceipt = Flags(rawValue: 1)
        /// The message is stored but never evaluated: the broker redelivered it and it has no time of its own, or its
        /// time is long past.
        package static let notEvaluated = Flags(rawValue: 2)
        /// The device sent a time that was not believed: one of the two clocks is wrong.
        package static let implausibleTime = Flags(rawValue: 4)

        /// Marks values computed from inputs of other messages, to tell them from values that a device sends itself.
        package init(derivedApart: DerivationSet) { rawValue = derivedApart.rawValue << Self.firstDerivation }
        package var derivedApart: DerivationSet { DerivationSet(rawValue: rawValue >> Self.firstDerivation) }

        /// The bits below this one are the flags above.
        private static let firstDerivation: Int16 = 3
    }

    package var slot: Slot
    package var device: Device.ID
    private var event: EventTime
    package var eventTime: Timestamp { event.time }
    package var receivedAt: Timestamp
    package var flags: Flags
    package var readings: Readings
    /// The parameters whose probes report that they are broken.
    package var brokenProbes: ParameterSet

    /// Whether there is any reading to store.
    package var hasReadings: Bool { !readings.isEmpty }

    /// - Parameters:
    ///   - event: The judged time, which is the only one that can be stored.
    ///   - isEvaluated: Whether engines evaluate it.
    package init(
        slot: Slot, device: Device.ID, at event: EventTime, receivedAt: Timestamp, isEvaluated: Bool = true,
        readings: Readings, brokenProbes: ParameterSet = []
    ) {
        self.slot = slot
        self.device = device
        self.event = event
        self.receivedAt = receivedAt
        flags = event.source == .receipt ? .timedByReceipt : []
        if event.isDoubted { flags.insert(.implausibleTime) }
        if !isEvaluated { flags.insert(.notEvaluated) }
        self.readings = readings
        self.brokenProbes = brokenProbes
    }

    /// Computes derived parameters from the readings and from inputs of other messages.
    /// - Parameter sent: The bits of the parameters that the device sends itself.
    package mutating func derive(with complement: SeparateInputs.Complement, sent: UInt32) {
        flags.formUnion(Flags(derivedApart: readings.derive(with: complement, sent: sent)))
    }

    /// Moves the time on by a microsecond, because another reading has it already. Only a sample timed by its receipt
    /// may move.
    package mutating func yieldTime() { event.yield() }

    /// Adds the values of another message of the same moment.
    /// - Returns: Whether that added anything.
    package mutating func fill(from other: Sample) -> Bool {
        let hasFilled = readings.fill(from: other.readings)
        let broken = brokenProbes.union(other.brokenProbes).subtracting(ParameterSet(mask: readings.present))
        defer { brokenProbes = broken }
        return hasFilled || broken != brokenProbes
    }
}
