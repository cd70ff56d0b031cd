import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a parameter's values by hand over time. They are a series of their own: no probe's statistics hold them.
enum HandSeriesRoutes {
    static let all = [show].forProjects()

    private static let most = 1_000

    private struct Series: Sendable {
        var parameter: Parameter
        var scale: UnitScale
        /// Oldest first.
        var points: [ShownHandPoint]
        var isCut: Bool

        var values: [Double] {
            points.compactMap { scale.fromCanonical(Double($0.point.value.value)) }
        }

        var mean: Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }
    }

    private static let show = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/by-hand", id: "showSeriesByHand", tag: KitRoutes.tag,
        access: .read, "Show a parameter's values by hand over time",
        text: "The newest \(most) of the period, with figures of their own. Without from: of the last year.",
        inputs: [ReadingInputs.device, ReadingInputs.parameter, ReadingInputs.from, ReadingInputs.until],
        answers: .json(.ok, output), problems: [.notFound]
    ) { caller, inputs in
        let (id, parameter) = (inputs[ReadingInputs.device], inputs[ReadingInputs.parameter])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let device = try transaction.device(id)
            let end = try inputs[ReadingInputs.until] ?? transaction.execute(ReadClock())[0] + .seconds(5 * 60)
            let start = inputs[ReadingInputs.from] ?? end - .seconds(366 * 86_400)
            guard start < end else { throw Problem(ReadingInputs.from, .periodEnds) }
            let rows = try transaction.execute(
                ListHandValues(parameter, of: device, in: start..<end, limit: most + 1))
            let limits = try transaction.limits(of: device, account, for: rows.compactMap { $0?.at })
            return .value(
                Series(
                    parameter: parameter, scale: limits.scale(of: parameter),
                    points: rows.prefix(most).compactMap(\.self).map { ShownHandPoint($0, by: limits) }.reversed(),
                    isCut: rows.count > most))
        }
    }

    private static let statistics = Output<Series>.object(
        "HandStatistics", "What the values by hand come to, in the person's unit; each counts alike.",
        [
            .member("count", .integer, "How many there are.", example: 4) { $0.values.count },
            .member("mean", .optional(of: .decimal), "Their mean.", example: 7.4) { $0.mean?.shown },
            .member("minimum", .optional(of: .decimal), "The least.", example: 7.2) { $0.values.min()?.shown },
            .member("maximum", .optional(of: .decimal), "The greatest.", example: 7.6) { $0.values.max()?.shown },
        ])

    private static let output = Output<Series>.object(
        "SeriesByHand", "A parameter's values by hand over time.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.parameter) },
            .member("unit", .choice(Unit.self), "The person's unit, which the statistics are in.") { $0.scale.unit },
            .member("points", .list(of: ShownHandPoint.output), "The values, oldest first.") { $0.points },
            .member("cut", .boolean, "Whether the period has more than these.", example: false) { $0.isCut },
            .member("statistics", statistics, "Their figures.") { $0 },
        ])
}
