import Routes
import WaterQuality

/// The collections of features, as maps layer them; the raw values are their ids.
enum Layer: String, CaseIterable, Sendable {
    case sites, devices, observations, samples

    /// A property of a layer's features, which each of them has, null where there is no value.
    struct Property: Sendable {
        let name: String
        /// Its JSON Schema, which may be null beside that.
        let type: JSON
        let text: String

        init(_ name: String, _ type: JSON, _ text: String) {
            (self.name, self.type, self.text) = (name, type, text)
        }
    }

    var properties: [Property] {
        switch self {
        case .sites, .devices: Self.ofPlace
        case .observations: Self.ofObservation
        case .samples: Self.ofSample
        }
    }

    private static let text: JSON = ["type": ["string", "null"]]
    private static let number: JSON = ["type": ["number", "null"]]
    private static let time: JSON = ["type": ["string", "null"], "format": "date-time"]

    private static let ofPlace = [
        Property("name", text, "The person's own name for it."),
        Property("role", text, "The person's part in it: owner or watcher."),
        Property("project", text, "The name of the project whose it is."),
        Property("since", time, "Since when the person has it."),
        Property("locatedAt", time, "When it was there, of a device that moves; null where somebody said where it is."),
    ]

    private static let ofSubject = [
        Property("device", text, "The id of the device or the site."),
        Property("name", text, "The person's own name for that."),
        Property("kind", text, "device or site."),
    ]

    private static let ofObservation =
        ofSubject + [
            Property("parameter", text, "The parameter that was measured."),
            Property("time", time, "When it was measured."),
            Property("value", number, "The value, in the parameter's canonical unit."),
            Property("unit", text, "That unit."),
            Property("method", text, "probe, or hand: a person measured it."),
            Property("state", text, "Of a probe's value: inRange, low or high, by the person's limits."),
        ]

    private static let ofSample =
        ofSubject + [
            Property("time", time, "When the water was tested."), Property("kit", text, "The kit."),
            Property("note", text, "What else was said of it."),
        ]
        + Parameter.allCases.map { parameter in
            Property(parameter.name, number, "The value of \(parameter.name), in \(parameter.canonicalUnit.rawValue).")
        }
}
