import Routes
import WaterQuality

/// A test by hand as it is answered.
struct ShownHandTest: Sendable {
    let test: HandTest
    let values: [ShownHandValue]

    init(_ test: HandTest, by limits: OwnLimits) {
        self.test = test
        values = test.content.values.map { ShownHandValue($0, at: test.content.at, by: limits) }
    }

    var tag: EntityTag { EntityTag(version: Int64(test.version)) }

    static let output = Output<ShownHandTest>.object(
        "HandTest", "A test of the water, made by hand.",
        [
            .member("id", .text, "Its id.", example: "018f3c5e-7a2b-7c3d-8e4f-5a6b7c8d9e0f") { "\($0.test.id)" },
            .member("at", .timestamp, "When the water was tested.") { $0.test.content.at },
            .member(
                "kit", .optional(of: .text), "The kit; null: another one, or a meter.", example: "api-freshwater"
            ) { $0.test.content.kit },
            .member("note", .optional(of: .text), "What else is to be said of it.") { $0.test.content.note },
            .member("by", .optional(of: CarePerson.output), "Who made it; null: somebody who is gone.") {
                $0.test.by
            },
            .member(
                "ofSample", .boolean,
                "Whether these are the values of the field sample with the same id, and change with it alone."
            ) { $0.test.isOfSample },
            .member("version", .integer, "Its version, as in the ETag.", example: 1) { Int($0.test.version) },
            .member("values", .list(of: ShownHandValue.output), "What was measured.") { $0.values },
        ])
}
