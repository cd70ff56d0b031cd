import Routes
import WaterQuality

/// A unit's scale, in a form by which clients convert without formulas of their own.
struct ShownScale: Sendable {
    private let parameter: Parameter
    private let form: UnitScale.Form

    init(_ range: PersonalRange) {
        parameter = range.parameter
        form = range.scale.form(step: 1 / Double(parameter.stepsPerUnit))
    }

    private var line: (factor: Double, offset: Double)? {
        if case .linear(let factor, let offset) = form { (factor, offset) } else { nil }
    }

    private var table: ScaleTable? {
        if case .table(let first, let step, let values) = form {
            ScaleTable(first: first, step: step, values: values)
        } else {
            nil
        }
    }

    static let output = Output<ShownScale>.object(
        "Scale",
        "Round a canonical value to its decimals, then convert it by factor and offset; where they are null, by table.",
        [
            .member("unit", .text, "The canonical unit, in which values are stored and compared.", example: "C") {
                $0.parameter.canonicalUnit.rawValue
            },
            .member("decimals", .integer, "How many digits behind the decimal mark the sensor tells apart.", example: 1)
            { $0.parameter.decimals },
            .member(
                "factor", .optional(of: .decimal), "value = canonical value × factor + offset", example: 1.8
            ) { $0.line?.factor },
            .member("offset", .optional(of: .decimal), "See factor.", example: 32) { $0.line?.offset },
            .member(
                "table", .optional(of: ScaleTable.output), "The values of a scale that is no straight line.",
                example: .null
            ) { $0.table },
        ])
}

private struct ScaleTable: Sendable {
    let first: Double
    let step: Double
    let values: [Double]

    static let output = Output<ScaleTable>.object(
        "ScaleTable", "Values in the unit for equidistant canonical ones; beyond them there are none.",
        [
            .member("first", .decimal, "The canonical value of the first.", example: 0) { $0.first },
            .member("step", .decimal, "By so much the canonical values differ: a sensor step.", example: 0.1) {
                $0.step
            },
            .member("values", .list(of: .decimal), "The values in the unit.", example: [1, 1.000076]) { $0.values },
        ])
}
