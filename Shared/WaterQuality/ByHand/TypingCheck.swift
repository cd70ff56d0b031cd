/// Finds slips of the finger in numbers that are typed: what cannot be is refused, what is far from the last value is asked about.
package enum TypingCheck {
    /// The values that the parameter can have, in its canonical unit. Kits go further than probes: undiluted they measure ten times what ammonia
    /// probes do, and diluted water more.
    package static func possible(_ parameter: Parameter) -> ClosedRange<Float> {
        let measured =
            parameter.value(
                of: parameter.absoluteRange.lowerBound)...parameter.value(
                of: parameter.absoluteRange.upperBound)
        return switch parameter {
        case .temperature: -5...60
        case .ammonia, .nitrite: 0...100
        case .nitrate: 0...2000
        default: measured
        }
    }

    /// The values that need no question, after the last one that is known: of a kit, or else of the probe.
    package static func expected(_ parameter: Parameter, after last: Float?) -> ClosedRange<Float> {
        let possible = possible(parameter)
        let measured = parameter.value(of: parameter.absoluteRange.upperBound)
        guard let last else { return possible.lowerBound...min(possible.upperBound, measured) }
        let step = 10 / Float(parameter.stepsPerUnit)
        let (least, greatest): (Float, Float)
        if let usual = usualChange(parameter) {
            (least, greatest) = (last - usual, last + usual)
        } else {
            // A decimal mark that is lost makes ten times as much, or a tenth. What is nearly nothing may grow.
            least = last < step || vanishes(parameter) ? 0 : last / farTimes
            greatest = last < step ? measured / 4 : max(last * farTimes, last + step)
        }
        // Where the last one is beyond what probes measure, so may be the next.
        let top = min(possible.upperBound, max(measured, last * farTimes))
        return max(least, possible.lowerBound)...max(min(greatest, top), max(least, possible.lowerBound))
    }

    /// As many times as the last value is far from it.
    private static let farTimes: Float = 8

    /// Whether water rids itself of it, or is rid of it, so that there is none at the next test.
    private static func vanishes(_ parameter: Parameter) -> Bool {
        switch parameter {
        case .ammonia, .freeAmmonia, .nitrite, .nitrate, .phosphate, .silicate, .iron, .copper, .freeChlorine,
            .totalChlorine, .turbidity, .turbidityFNU, .carbonDioxide:
            true
        default: false
        }
    }

    /// The greatest usual change of parameters that are not counted from nothing.
    private static func usualChange(_ parameter: Parameter) -> Float? {
        switch parameter {
        case .temperature: 10
        case .ph: 1.5
        case .salinity: 10
        case .orp: 300
        case .dissolvedOxygen: 8
        case .oxygenSaturation: 100
        default: nil
        }
    }
}
