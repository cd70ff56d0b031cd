import Instants
import Routes
import Store
import WaterQuality

/// The inputs of the routes of calibration logs.
enum CalibrationInputs {
    static let entry = Input<CalibrationID>.path("calibration", .id, "The entry's id: a UUID that its client chose.")

    static let kind = Input.field(
        "kind", .choice(Calibration.Kind.self),
        """
        What was done. check: compared, and left as it was; clean: cleaned; calibrate: set to the standards; replace: another probe took its \
        place, of which before says nothing.
        """)
    static let at = Input.field("at", .timestamp, "When: not before 1990, and not in the future.")
    static let unit = Input.optionalField(
        "unit", .choice(Unit.self).example("pH"), "The unit of the points; without it, the parameter's canonical one.")
    static let points = Input.field(
        "points", .list(of: Format<CalibrationPoint>.calibrationPoint, count: 0...Calibration.mostPoints), default: [],
        """
        The standards, each once, with what the probe read in it before and after. A check has at least one, before in each, and no after. \
        Where after is not said, a calibrated probe counts as reading the standard, and one that was cleaned what it read before.
        """)
    static let temperature = Input.optionalField(
        "temperature", .decimal(-5...60).example(25), "The temperature of the standards in °C.")
    static let note = Input.optionalField("note", .text(1...500).example(.null), "What else is to be said of it.")

    static let content: [any InputDeclaration] = [kind, at, unit, points, temperature, note]

    /// - Parameter now: The database's time.
    /// - Throws: `Problem` at what cannot be.
    static func content(
        _ inputs: Inputs, of parameter: Parameter, now: Timestamp
    ) throws(Problem) -> CalibrationContent {
        let time = inputs[at]
        guard time <= now + JournalContent.ahead, time >= JournalContent.earliest else {
            throw Problem(at, .notTimeOfCalibration)
        }
        let unit = inputs[Self.unit] ?? parameter.canonicalUnit
        guard let scale = parameter.scale(in: unit) else {
            throw Problem(Self.unit, .notChoice(parameter.choosableUnits.map(\.rawValue)))
        }
        let content = CalibrationContent(
            kind: inputs[kind], at: time, unit: unit, points: inputs[points].sorted { $0.standard < $1.standard },
            temperature: inputs[temperature], note: inputs[note])
        for (index, point) in inputs[points].enumerated() {
            do throws(Fault) {
                try point.check(of: parameter, in: scale, as: content.kind)
                guard inputs[points].filter({ $0.standard == point.standard }).count == 1 else { throw .repeated }
            } catch {
                throw Problem(points, error.inside("\(index)"))
            }
        }
        guard content.kind != .check || !content.points.isEmpty else { throw Problem(points, .tooFew(minimum: 1)) }
        return content
    }
}

extension CalibrationPoint {
    /// - Throws: The fault of what a probe cannot read, and of what does not go with what was done.
    fileprivate func check(
        of parameter: Parameter, in scale: UnitScale, as kind: Calibration.Kind
    ) throws(Fault) {
        // A standard may lie beyond what a probe of ours measures; a slip of the pen does not.
        let possible = TypingCheck.possible(parameter)
        for (name, number) in [("standard", standard as Double?), ("before", before), ("after", after)] {
            guard let number else { continue }
            guard let value = scale.toCanonical(number), possible.contains(Float(value)) else {
                throw Fault.notCalibrationValue.inside(name)
            }
        }
        guard millivolts == nil || parameter == .ph else { throw Fault.millivoltsOfPHAlone.inside("millivolts") }
        guard kind == .check else { return }
        guard before != nil else { throw Fault.missing.inside("before") }
        guard after == nil else { throw Fault.checkChangesNothing.inside("after") }
    }
}

extension Format where Value == CalibrationPoint {
    /// An object: standard, and what was read in it.
    static let calibrationPoint = object(
        [standard, before, after, millivolts], required: ["standard"],
        example: ["standard": 7, "before": 7.2, "after": 7], or: .notCalibrationPoint
    ) { members throws(Fault) in
        guard let known = try members[standard] else { return nil }
        return CalibrationPoint(
            standard: known, before: try members[before], after: try members[after],
            millivolts: try members[millivolts])
    }

    private static let number = Format<Double>.decimal(-1_000_000...1_000_000).example(7)
    private static let standard = ObjectMember("standard", number)
    private static let before = ObjectMember("before", number)
    private static let after = ObjectMember("after", number)
    private static let millivolts = ObjectMember("millivolts", Format<Double>.decimal(-2_000...2_000).example(-5))
}

extension Fault {
    fileprivate static let notTimeOfCalibration = Fault("not-a-time-of-a-calibration")
    fileprivate static let notCalibrationPoint = Fault("not-a-calibration-point")
    fileprivate static let notCalibrationValue = Fault("not-a-calibration-value")
    fileprivate static let millivoltsOfPHAlone = Fault("millivolts-of-ph-alone")
    fileprivate static let checkChangesNothing = Fault("check-changes-nothing")
}
