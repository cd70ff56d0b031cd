import Routes
import Webhooks

extension FuzzTarget {
    /// A text of a person's own for a webhook; its last byte chooses the type of what it makes.
    static let template = FuzzTarget(
        "template",
        seeds: [
            #"{"text": {{title}}, "n": {{value}}, "s": "{{device.name | url}}"}0"#,
            #"{"p": {{#if critical}}1{{else}}2{{/if}}{{#if over}}, "end": true{{/if}}}0"#,
            "{{title}}: {{text | json}} {{value}}1", "a={{title}}&b={{text | json}}2",
        ],
        words: [
            "{{title}}", "{{value}}", "{{#if over}}", "{{else}}", "{{/if}}", " | json", " | url", "{{", "}}", "\"",
            "\\", "\\u00e9",
            "{\"a\":", "}", "[", "]", ",", "null", "-1.5e+3",
        ]
    ) { bytes in
        let types = MessageTemplate.ContentType.allCases
        let type = types[Int(bytes.last ?? 0) % types.count]
        let text = String(decoding: bytes.dropLast(), as: UTF8.self)
        guard let template = try? MessageTemplate(text, type: type) else { return }
        for value in ["", "Koi", text, "\"}],\\\u{0}\r\n&=", String(repeating: "\"", count: 20_000)] {
            var values = Dictionary(uniqueKeysWithValues: TemplateNames.all.map { ($0, TemplateValue.text(value)) })
            values["value"] = .literal("-12.5")
            values["over"] = .literal(value.isEmpty ? "true" : "false")
            let output = template.written(values)
            try promise(output.count <= MessageTemplate.longestOutput, "\(output.count) bytes")
            switch type {
            case .json:
                do throws(JSONFault) {
                    _ = try JSON(reading: output)
                } catch {
                    // Two members of one name are the person's own, since no value stands in a name.
                    try promise(error == .duplicate, "\(error) in what \(text) makes")
                }
            case .form: try promise(output.allSatisfy { (0x21...0x7E).contains($0) }, "a bare character")
            case .text: try promise(String(validating: output, as: UTF8.self) != nil, "no text")
            }
        }
    }
}
