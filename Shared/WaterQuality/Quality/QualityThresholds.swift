/// The thresholds of QARTOD's tests, in a parameter's canonical unit and in time. None counts readings, because devices
/// send every second or every quarter of an hour.
package struct QualityThresholds: Hashable, Sendable {
    /// The range that a probe can measure; beyond it values `fail`.
    package var sensorSpan: ClosedRange<Float>
    /// The plausible range of such water; beyond it values are `suspect`.
    package var plausibleSpan: ClosedRange<Float>
    /// The distances from both neighbours beyond which a value is suspect, and fails.
    package var spike: (suspect: Float, fail: Float)
    /// The largest plausible distance from the last good value: at once, plus an amount for each hour since.
    package var jump: Float
    package var changePerHour: Float
    /// The tolerance within which values count as equal, and how long they may; `nil` if they may for ever.
    package var flat: Flat?
    /// The pause after which a value starts a new stretch.
    package var gap: Duration

    package struct Flat: Hashable, Sendable {
        package var tolerance: Float
        package var suspect: Duration
        package var fail: Duration

        package init(tolerance: Float, suspect: Duration, fail: Duration) {
            self.tolerance = tolerance
            self.suspect = suspect
            self.fail = fail
        }
    }

    package init(
        sensorSpan: ClosedRange<Float>, plausibleSpan: ClosedRange<Float>? = nil, spike: (suspect: Float, fail: Float),
        jump: Float, changePerHour: Float, flat: Flat?, gap: Duration
    ) {
        self.sensorSpan = sensorSpan
        self.plausibleSpan = plausibleSpan ?? sensorSpan
        self.spike = spike
        self.jump = jump
        self.changePerHour = changePerHour
        self.flat = flat
        self.gap = gap
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.sensorSpan == right.sensorSpan && left.plausibleSpan == right.plausibleSpan && left.spike == right.spike
            && left.jump == right.jump && left.changePerHour == right.changePerHour && left.flat == right.flat
            && left.gap == right.gap
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(sensorSpan)
        hasher.combine(plausibleSpan)
        hasher.combine(spike.suspect)
        hasher.combine(spike.fail)
        hasher.combine(jump)
        hasher.combine(changePerHour)
        hasher.combine(flat)
        hasher.combine(gap)
    }
}

extension Parameter {
    /// The thresholds for the water of ponds and tanks.
    ///
    /// A tank cools by a degree an hour without its heater, and by two at once when water is changed; pH moves by a
    /// tenth an hour. For other parameters a tenth of the sensor's range is a jump. Temperature, pH and oxygen follow
    /// the day, so a value that stays within a twentieth of a sensor step is not real; salinity or hardness may stay
    /// equal for weeks.
    package var qualityThresholds: QualityThresholds {
        let step = 1 / Float(stepsPerUnit)
        let sensor = value(of: absoluteRange.lowerBound)...value(of: absoluteRange.upperBound)
        let span = sensor.upperBound - sensor.lowerBound
        let gap = Duration.seconds(2 * 3_600)
        func flat(_ hours: Int) -> QualityThresholds.Flat {
            QualityThresholds.Flat(
                tolerance: step / 20, suspect: .seconds(hours * 3_600), fail: .seconds(12 * 3_600))
        }
        return switch self {
        case .temperature:
            QualityThresholds(
                sensorSpan: sensor, plausibleSpan: -2.5...40, spike: (suspect: 0.5, fail: 5), jump: 2,
                changePerHour: 1, flat: flat(6), gap: gap)
        case .ph:
            QualityThresholds(
                sensorSpan: sensor, plausibleSpan: 3...12, spike: (suspect: 0.3, fail: 2), jump: 0.3,
                changePerHour: 0.1, flat: flat(6), gap: gap)
        case .dissolvedOxygen:
            QualityThresholds(
                sensorSpan: sensor, spike: (suspect: 2, fail: 5), jump: 2, changePerHour: 1, flat: flat(6), gap: gap)
        default:
            QualityThresholds(
                sensorSpan: sensor, spike: (suspect: max(3 * step, span / 10), fail: span / 2),
                jump: max(3 * step, span / 10), changePerHour: max(step, span / 20), flat: nil, gap: gap)
        }
    }
}
