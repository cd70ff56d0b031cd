import Instants

/// A first value that has jumped out of range, back into it, or to its other side, and may be a glitch of the sensor. Only
/// the next reading can tell a spike from water that has changed, so what would follow waits for it: the alarm of an episode
/// that opens, or the end of one that is open. Should that reading not come, the device is told to be silent.
///
/// What alternates is told. A jump out of range is therefore held once in a while, whatever became of it; and never after a
/// critical value within the last five readings. A jump back into range is held each time, which leaves an episode open.
package enum SuspectedSpike {
    /// So many readings before count as lately.
    private static let lately = 5

    /// Whether a jump makes the alarm of a value out of range wait, or the change of sides.
    /// - Parameters:
    ///   - state: The watch before the reading.
    ///   - isCritical: Whether the value is beyond the critical limit. A person who set one wants to know at once; then
    ///     only a jump that no water makes (QARTOD's fail) is held, not one that is merely suspect.
    static func isHeld(
        _ reading: Reading, after state: WatchState, of parameter: Parameter, isCritical: Bool, policy: AlertPolicy
    ) -> Bool {
        guard let pause = pause(before: reading, after: state, policy),
            hasJumped(reading, after: state, of: parameter, isCritical: isCritical)
        else { return false }
        // A doubt of the future is by a clock that was put back since: how old it is nobody knows, so that the jump is told.
        guard let doubtedAt = state.doubtedAt else { return true }
        return reading.time - doubtedAt > max(policy.holdWithin, pause * lately)
    }

    /// Whether a jump makes the end of an episode wait. The value before it was out of range: of those that follow each other
    /// within the range, none is the first.
    static func isHeldReturn(
        _ reading: Reading, after state: WatchState, into range: SafeRange, policy: AlertPolicy
    ) -> Bool {
        guard pause(before: reading, after: state, policy) != nil, let last = state.lastValue else { return false }
        return range.side(of: last) != nil
            && hasJumped(reading, after: state, of: range.parameter, isCritical: false)
    }

    /// The time since the last reading; `nil` where the two are not to be compared.
    private static func pause(before reading: Reading, after state: WatchState, _ policy: AlertPolicy) -> Duration? {
        guard policy.holdWithin > .zero, let last = state.lastEvaluated else { return nil }
        let pause = reading.time - last
        return pause > .zero && pause <= policy.holdWithin ? pause : nil
    }

    private static func hasJumped(
        _ reading: Reading, after state: WatchState, of parameter: Parameter, isCritical: Bool
    ) -> Bool {
        let spike = parameter.qualityThresholds.spike
        return hasJumped(reading.value, from: state.lastValue, by: isCritical ? spike.fail : spike.suspect, parameter)
    }

    private static func hasJumped(
        _ value: Steps, from last: Steps?, by threshold: Float, _ parameter: Parameter
    ) -> Bool {
        guard let last else { return false }
        return abs(Int64(value.count) - Int64(last.count)) > Int64(parameter.steps(of: threshold).count)
    }

    /// Whether a reading may have been held by whoever knew more of what came before it.
    static func mayBeHeld(
        _ reading: Reading, after state: WatchState, of parameter: Parameter, policy: AlertPolicy
    ) -> Bool {
        guard policy.holdWithin > .zero else { return false }
        guard state.lastEvaluated != nil, state.lastValue != nil else { return true }
        return pause(before: reading, after: state, policy) != nil
            && mayBe(reading.value, after: state.lastValue, of: parameter)
    }

    /// Whether a value out of range has jumped so far that what was held before it matters.
    package static func mayBe(_ value: Steps, after last: Steps?, of parameter: Parameter) -> Bool {
        hasJumped(value, from: last, by: parameter.qualityThresholds.spike.suspect, parameter)
    }
}
