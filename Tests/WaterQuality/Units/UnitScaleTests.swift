import Testing

@testable import WaterQuality

/// Conversion of limits to each unit and back.
@Suite struct UnitScaleTests {
    struct Choice: Sendable, CustomTestStringConvertible {
        let parameter: Parameter
        let scale: UnitScale
        var testDescription: String { "\(parameter.name) in \(scale.unit.rawValue)" }

        var range: PersonalRange {
            PersonalRange(parameter: parameter, unit: scale.unit, minimum: nil, maximum: nil)
        }

        var steps: [Steps] {
            let absolute = parameter.absoluteRange
            return Self.some(Int64(absolute.lowerBound.count)...Int64(absolute.upperBound.count)).map {
                Steps(Int32($0))
            }
        }

        /// All numbers with the unit's digits, within the sensor's range.
        var numbers: [Double] {
            let absolute = parameter.absoluteRange
            let ends = [absolute.lowerBound, absolute.upperBound].compactMap { parameter.count(of: $0, in: scale) }
            return Self.some(ends[0]...ends[1]).map { DecimalRounding.value(of: $0, decimals: scale.decimals) }
        }

        /// All counts, or some thousands if there are very many.
        private static func some(_ counts: ClosedRange<Int64>) -> [Int64] {
            Array(stride(from: counts.lowerBound, through: counts.upperBound, by: max(1, counts.count / 5_000)))
        }

        func entered(_ number: Double) throws -> Steps? {
            try RangeChange(maximum: .value(number)).applied(to: range).maximum
        }
    }

    static let choices = Parameter.allCases.flatMap { parameter in
        parameter.scales.filter(\.isChoosable).map { Choice(parameter: parameter, scale: $0) }
    }

    /// Units whose last digit is finer than a sensor step: an entered number snaps to a step, and the snapped value is
    /// shown.
    static let coarse: [Parameter: Set<Unit>] = [
        .temperature: [.fahrenheit], .dissolvedOxygen: [.micromolesPerLitre], .salinity: [.millisiemensPerCentimetre],
        .calcium: [.calciumCarbonate], .magnesium: [.calciumCarbonate],
    ]

    /// 8 dKH is shown as 8 dKH, although 142.8 ppm is stored as 143.
    @Test(arguments: choices) func whatIsEnteredIsShown(_ choice: Choice) throws {
        var kept = 0
        var wrong: [String] = []
        for number in choice.numbers {
            guard let steps = try choice.entered(number) else { continue }
            let shown = choice.range.shown(steps)
            kept += shown == number ? 1 : 0
            if shown != number { wrong.append("\(number) is shown as \(shown)") }
        }
        let isCoarse = Self.coarse[choice.parameter]?.contains(choice.scale.unit) == true
        #expect(wrong.isEmpty || isCoarse)
        // The list of exceptions contains only units that need one.
        #expect((kept < choice.numbers.count) == isCoarse)
    }

    /// A number that the app offers or the API shows is unchanged when it is sent back.
    @Test(arguments: choices) func whatIsShownIsKept(_ choice: Choice) throws {
        var wrong: [String] = []
        for steps in choice.steps {
            let shown = choice.range.shown(steps)
            guard let again = try choice.entered(shown) else { continue }
            let after = choice.range.shown(again)
            if after != shown { wrong.append("\(steps) is shown as \(shown), then as \(after)") }
        }
        #expect(wrong.isEmpty)
    }

    /// A value sent in any unit is stored as the same step.
    @Test(arguments: Parameter.allCases) func stepsSurvive(_ parameter: Parameter) {
        for scale in parameter.scales {
            let lost = Choice(parameter: parameter, scale: scale).steps.filter { steps in
                let back = scale.fromCanonical(parameter.canonical(steps)).flatMap {
                    parameter.canonical($0, in: scale.unit)
                }
                return back.map(parameter.steps) != steps
            }
            #expect(lost.isEmpty, "\(scale.unit)")
        }
    }

    @Test(arguments: [
        (Parameter.alkalinity, Unit.carbonateHardness, 8.0, 143), (.alkalinity, .milliequivalentsPerLitre, 2.9, 145),
        (.hardness, .generalHardness, 8.1, 145), (.hardness, .millimolesPerLitre, 1.43, 143),
        (.temperature, .kelvin, 293.2, 200), (.temperature, .kelvin, 293.3, 201),
        (.temperature, .fahrenheit, 75.2, 240),
        (.nitrate, .nitrateNitrogen, 10, 443), (.salinity, .specificGravity, 1.0135, 179),
        (.salinity, .specificGravity, 1.0264, 350),
        (.salinity, .millisiemensPerCentimetre, 25.4, 155), (.dissolvedOxygen, .millilitresPerLitre, 4.2, 60),
    ])
    func keepsAsSteps(parameter: Parameter, unit: Unit, number: Double, steps: Int32) throws {
        let range = PersonalRange(parameter: parameter, unit: unit, minimum: nil, maximum: nil)
        let changed = try RangeChange(maximum: .value(number)).applied(to: range)
        #expect(changed.maximum == Steps(steps))
        #expect(changed.maximum.map(range.shown) == number)
    }

    @Test func beyondAFormulaIsBeyondTheSensor() {
        let range = PersonalRange(parameter: .salinity, unit: .specificGravity, minimum: nil, maximum: nil)
        #expect(throws: RangeChange.Fault.range(.maximumBeyondSensor(.salinity))) {
            try RangeChange(maximum: .value(1.2)).applied(to: range)
        }
        #expect(throws: RangeChange.Fault.range(.minimumBeyondSensor(.salinity))) {
            try RangeChange(minimum: .value(0.99)).applied(to: range)
        }
        #expect(throws: RangeChange.Fault.unit(.microsiemensPerCentimetre)) {
            try RangeChange(unit: .microsiemensPerCentimetre).applied(to: range)
        }
    }

    /// A client that converts with a scale's line or table shows the same numbers as the server.
    @Test(arguments: choices) func formsSuffice(_ choice: Choice) {
        let (parameter, scale) = (choice.parameter, choice.scale)
        let form = scale.form(step: 1 / Double(parameter.stepsPerUnit))
        let wrong = choice.steps.filter { steps in
            let canonical = parameter.canonical(steps)
            let value =
                switch form {
                case .linear(let factor, let offset): canonical * factor + offset
                case .table(let first, let step, let values): values[Int(((canonical - first) / step).rounded())]
                }
            return DecimalRounding.count(value, decimals: scale.decimals) != parameter.count(of: steps, in: scale)
        }
        #expect(wrong.isEmpty)
        if case .table(let first, let step, let values) = form {
            #expect(first + step * Double(values.count - 1) == 42)
        }
    }

    @Test(arguments: [
        (293.15, 1, 293.2), (-39.95, 1, -40), (0.05, 1, 0.1), (-0.04, 1, 0), (1.02635, 4, 1.0264), (2.675, 2, 2.68),
        (249.5, 0, 250), (78.08, 1, 78.1), (1.005, 2, 1.01),
    ])
    func roundsLikePeople(value: Double, decimals: Int, expected: Double) {
        #expect(DecimalRounding.rounded(value, decimals: decimals) == expected)
    }

    @Test func roundsAnything() {
        for value in [Double.infinity, -.infinity, 1e300, -1e300, .nan, 0, -0.0] {
            #expect(DecimalRounding.count(value, decimals: 4).magnitude <= UInt64(Int64.max))
        }
        #expect(DecimalRounding.count(-0.0, decimals: 1) == 0)
    }
}
