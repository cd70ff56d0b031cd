import Routes
import WaterQuality

/// One value by hand as it is answered, with the test that it is of.
struct ShownHandPoint: Sendable {
    let point: HandPoint
    let shown: ShownHandValue

    init(_ point: HandPoint, by limits: OwnLimits) {
        self.point = point
        shown = ShownHandValue(point.value, at: point.at, by: limits)
    }

    static let output = Output<ShownHandPoint>.object(
        "HandPoint", "A value that a person measured, with its test.",
        [
            .member("test", .text, "The id of the test.", example: "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0f") {
                "\($0.point.test)"
            },
            .member("at", .timestamp, "When the water was tested.") { $0.point.at },
            .member(
                "kit", .optional(of: .text), "The kit; null: another one, or a meter.", example: "api-freshwater"
            ) { $0.point.kit },
            .member("by", .optional(of: CarePerson.output), "Who made it; null: somebody who is gone.") {
                $0.point.by
            },
            .member("value", ShownHandValue.output, "What was measured.") { $0.shown },
        ])
}
