import Instants

/// A first value out of range that may be a glitch of the sensor: it has jumped there from the last value, and only the next one
/// can tell a spike from water that has changed.
///
/// Its alarm is held until then. The episode opens all the same, so that it is stored since when the water has been out of
/// range: the next reading finds it open and alarms, or closes it, and nobody was told. It is therefore never more than
/// one reading that is held. Should that reading not come, the device is told to be silent.
enum SuspectedSpike {
    /// - Parameters:
    ///   - state: The watch before the reading, without an open episode.
    ///   - isCritical: Whether the value is beyond the critical limit. A person who set one wants to know at once; then
    ///     only a jump that no water makes (QARTOD's fail) is held, not one that is merely suspect.
    static func isHeld(
        _ reading: Reading, after state: WatchState, of parameter: Parameter, isCritical: Bool, policy: AlertPolicy
    ) -> Bool {
        guard policy.holdWithin > .zero, let last = state.lastValue, let lastTime = state.lastEvaluated else {
            return false
        }
        let pause = reading.time - lastTime
        guard pause > .zero, pause <= policy.holdWithin else { return false }
        let spike = parameter.qualityThresholds.spike
        let height = abs(Int64(reading.value.count) - Int64(last.count))
        return height > Int64(parameter.steps(of: isCritical ? spike.fail : spike.suspect).count)
    }
}
