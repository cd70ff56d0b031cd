import Routes
import WaterQuality

extension Fault {
    static let noMinimumSetting = Fault("no-minimum")
    static let limitsCross = Fault("limits-cross")
    static let criticalMinimumNotBelow = Fault("critical-minimum-not-below")
    static let criticalMaximumNotAbove = Fault("critical-maximum-not-above")

    /// - Parameter range: The range, in the unit in which the change was given.
    static func beyondChange(_ range: PersonalRange) -> Fault {
        let bounds = ChangeLimit.bounds(of: range.parameter)
        return Fault(
            "beyond-change",
            parameters: [
                .init("minimum", .number(range.shownChange(bounds.lowerBound))),
                .init("maximum", .number(range.shownChange(bounds.upperBound))),
            ])
    }

    /// - Parameter range: The range, in the unit in which the limit was given.
    static func beyondSensor(_ range: PersonalRange) -> Fault {
        let absolute = range.parameter.absoluteRange
        return Fault(
            "beyond-sensor",
            parameters: [
                .init("minimum", .number(range.shown(absolute.lowerBound))),
                .init("maximum", .number(range.shown(absolute.upperBound))),
            ])
    }
}
