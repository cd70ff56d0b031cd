import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of the last values by hand, which also says what is expected next.
enum LastTestsRoutes {
    static let all = [show].forProjects()

    private struct Last: Sendable {
        var items: [Item]
        var nextDueAt: Timestamp?
    }

    private struct Item: Sendable {
        var parameter: Parameter
        var last: ShownHandPoint?
        var before: ShownHandPoint?
        var expected: ClosedRange<Float>

        var possible: ClosedRange<Float> { TypingCheck.possible(parameter) }
    }

    private static let show = Route<Caller>(
        .get, "/devices/{device}/tests/latest", id: "showLatestTests", tag: KitRoutes.tag, access: .read,
        "Show the last value by hand of each parameter",
        text: "Of every parameter, also of those that were never tested.",
        inputs: [DeviceInputs.device], answers: .json(.ok, output), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let device = try transaction.personDevice(id).key
            let known = try transaction.lastKnown(of: device, id)
            let last = try transaction.execute(ReadLastHandValues(of: device)).compactMap(\.self)
            let limits = try transaction.limits(of: device, account, for: last.map(\.at))
            let points = Dictionary(grouping: last, by: \.value.parameter)
            let items = Parameter.allCases.map { parameter in
                let two = (points[parameter] ?? []).map { ShownHandPoint($0, by: limits) }
                return Item(
                    parameter: parameter, last: two.first, before: two.dropFirst().first,
                    expected: TypingCheck.expected(parameter, after: known[parameter]?.value))
            }
            return .value(
                Last(items: items, nextDueAt: try transaction.execute(ReadNextDue(of: .test, on: device)).first ?? nil))
        }
    }

    private static let bounds = Output<ClosedRange<Float>>.object(
        "ValueBounds", "Bounds of values, in the parameter's canonical unit, both included.",
        [
            .member("least", .decimal, "The least.", example: 0) { $0.lowerBound.shownDouble },
            .member("greatest", .decimal, "The greatest.", example: 4) { $0.upperBound.shownDouble },
        ])

    private static let item = Output<Item>.object(
        "LatestTest", "What is known by hand of a parameter.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.parameter) },
            .member("last", .optional(of: ShownHandPoint.output), "The last value; null: there is none.") { $0.last },
            .member("before", .optional(of: ShownHandPoint.output), "The one before.") { $0.before },
            .member(
                "expected", bounds,
                "What may come next without a question, after the last value by hand or of the probe."
            ) { $0.expected },
            .member("possible", bounds, "What is not refused.") { $0.possible },
        ])

    private static let output = Output<Last>.object(
        "LatestTests", "The last values by hand of a device's water.",
        [
            .member("items", .list(of: item), "One for each parameter.") { $0.items },
            .member(
                "nextDueAt", .optional(of: .timestamp), "When a reminder asks for the next test; null: none does."
            ) { $0.nextDueAt },
        ])
}
