import FoundationEssentials
import Messaging

extension WebhookContent {
    /// The values for a template's places, by their names.
    package var templateValues: [String: TemplateValue] {
        get throws {
            let all: JSONObject = data + ["type": type, "over": alert.isOver]
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            var values: [String: TemplateValue] = [:]
            for (path, value) in all.leaves {
                values[path] =
                    if let text = value as? String { .text(text) } else {
                        .literal(String(decoding: try encoder.encode(value), as: UTF8.self))
                    }
            }
            return values
        }
    }
}
