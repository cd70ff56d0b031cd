import HTTPTypes
import Routes
import WaterQuality

/// The route of the kits that are known.
enum KitRoutes {
    static let tag = "Tests by hand"
    static let all = [list]

    private static let list = Route<Caller>(
        .get, "/kits", id: "listKits", tag: tag, access: .read, "List the kits that are known",
        text: """
            With the steps of their cards, in the order of their leaflets. Values of other kits, and of meters, are numbers without a kit.
            """,
        answers: .json(.ok, .list(of: kit)), handle: { _, _ in .value(Kit.catalogue) })

    private static let kit = Output<Kit>.object(
        "Kit", "A kit with which people test their water.",
        [
            .member("id", .text, "Its name in requests.", example: "api-freshwater") { $0.id },
            .member("name", .text, "The maker's name for it.", example: "API Freshwater Master Test Kit") { $0.name },
            .member("source", .text, "Where its steps and units are from.") { $0.source },
            .member("tests", .list(of: test), "What it measures.") { $0.tests },
        ])

    private static let test = Output<Kit.Test>.object(
        "KitTest", "One bottle, or one strip, of a kit.",
        [
            .member("parameter", .choice(Parameter.Name.self), "What it measures.") { Parameter.Name($0.parameter) },
            .member("unit", .choice(Unit.self), "The unit of its card, or of its drops.") { $0.unit },
            .member(
                "drop", .optional(of: .decimal), "How much a drop is, in the unit; null where drops are not counted.",
                example: 1
            ) { if case .drops(let each) = $0.method { each } else { nil } },
            .member(
                "waitMinutes", .optional(of: .integer), "How long to wait before it is read; null: not at all.",
                example: 5
            ) { $0.wait.map { Int($0.components.seconds / 60) } },
            .member("steps", .list(of: step), "The colours to choose from; none where a number is read.") { $0.steps },
        ])

    private static let step = Output<Kit.Step>.object(
        "KitStep", "A colour of a card, in the unit of its test.",
        [
            .member("choice", .text, "Its name in requests, which is what the card says.", example: "0.5") {
                $0.choice
            },
            .member("value", .decimal, "Its number.", example: 0.5) { $0.value },
            .member(
                "lower", .optional(of: .decimal), "From where on the water looks like it; null where that is open.",
                example: 0.375
            ) { $0.lower },
            .member("upper", .optional(of: .decimal), "Up to where, likewise.", example: 0.75) { $0.upper },
        ])
}
