import Foundation
import TestSupport
import Testing
import WaterQuality

@testable import Webhooks

@Suite struct TemplateTests {
    private static func written(
        _ text: String, _ type: MessageTemplate.ContentType = .json, _ values: [String: TemplateValue]
    ) throws -> String {
        String(decoding: try MessageTemplate(text, type: type).written(values), as: UTF8.self)
    }

    private static let values: [String: TemplateValue] = [
        "title": .text("Koi: \"too\\ warm\"\nnow é"), "value": .literal("78.1"), "critical": .literal("true"),
        "over": .literal("false"), "device.name": .text("Koi & co"),
    ]

    @Test(
        arguments: [
            (
                #"{"a": {{title}}, "b": "<{{title}}>", "c": {{value}}, "d": "{{value}} {{limit}}", "e": {{limit}}}"#,
                #"{"a": "Koi: \"too\\ warm\"\nnow é", "b": "<Koi: \"too\\ warm\"\nnow é>", "c": 78.1, "d": "78.1 ", "e": null}"#
            ),
            (#"["{{device.name|url}}",{{ title | json }}]"#, #"["Koi%20%26%20co","Koi: \"too\\ warm\"\nnow é"]"#),
            (
                #"{"p": {{#if critical}}1{{else}}2{{/if}}{{#if over}}, "end": true{{/if}}{{#if limit}}, "l": {{limit}}{{/if}}}"#,
                #"{"p": 1}"#
            ),
            ("{{title}}", #""Koi: \"too\\ warm\"\nnow é""#), (#"{"k": 1{{#if value}}0{{/if}}}"#, #"{"k": 10}"#),
        ])
    func valuesStandWhereTheyAreAskedFor(text: String, expected: String) throws {
        #expect(try Self.written(text, .json, Self.values) == expected)
    }

    @Test func aTextIsPlainAndAFormIsEncoded() throws {
        #expect(
            try Self.written(
                "{{device.name}}: {{value}} {{title|json}} {{device.name | url}} { } }}", .text, Self.values)
                == #"Koi & co: 78.1 "Koi: \"too\\ warm\"\nnow é" Koi%20%26%20co { } }}"#)
        #expect(
            try Self.written("a={{device.name}}&b={{value}}&c={{device.name | json}}&d={{limit}}", .form, Self.values)
                == "a=Koi%20%26%20co&b=78.1&c=%22Koi%20%26%20co%22&d=")
    }

    @Test(
        arguments: [
            ("{{titel}}", .unknownName("titel"), 1), ("{\n\"a\": {{token 7}}}", .unknownName(nil), 2),
            ("{{}}", .unknownName(nil), 1), ("[{{title | shout}}]", .unknownFilter("shout"), 1),
            ("[{{title | json | url}}]", .unknownFilter("json"), 1), ("[\n\n{{title\n}}]", .unclosed, 3),
            ("[{{title}]", .unclosed, 1), ("[{{#if over}}\n{{#if critical}}{{/if}}{{/if}}]", .nested, 2),
            ("[\n{{#if over}}1]", .unendedSection, 2), ("[{{/if}}]", .stray, 1),
            ("[{{#if over}}1{{else}}2{{else}}3{{/if}}]", .stray, 1),
            ("[{{#if value < 3}}1{{/if}}]", .unknownName(nil), 1),
            ("{\"a\": 1,\n}", .notJSON, 2), ("{\"a\": {{title}}", .unendedJSON, 1), ("[1{{value}}]", .noPlace, 1),
            ("[\"{{title | json}}\"]", .quotedTwice, 1), ("[{{title | url}}]", .unquoted, 1),
            ("[{{#if over}}1,{{/if}}]", .uneven, 1), ("[{{#if over}}1{{/if}}]", .uneven, 1),
            ("{{{title}}: 1}", .unknownName(nil), 1), ("[\"\\ud83d{{title}}\"]", .notJSON, 1), ("", .unendedJSON, 1),
            ("[\"\\{{title}}\"]", .noPlace, 1), ("{\"{{title}}\": 1}", .noPlace, 1), ("[1e999]", .notJSON, 1),
        ] as [(String, TemplateFault.Reason, Int)])
    func whatIsWrongIsNamedWithItsLine(text: String, reason: TemplateFault.Reason, line: Int) {
        #expect(throws: TemplateFault(reason, line: line)) { try MessageTemplate(text, type: .json) }
    }

    @Test func aFormHasNoBareCharacters() {
        for text in ["a=b c", "a=é", "a=1\n"] {
            #expect(throws: TemplateFault(.notEncoded, line: 1)) { try MessageTemplate(text, type: .form) }
        }
        let long = String(repeating: "x", count: MessageTemplate.longest + 1)
        #expect(throws: TemplateFault(.tooLong, line: 1)) { try MessageTemplate(long, type: .text) }
    }

    @Test func everyNameHasAValueInSomeMessageAndEveryValueAName() throws {
        let found = try Example.all.reduce(into: Set<String>()) { $0.formUnion(try $1.templateValues.keys) }
        // An answer of another probe is in none of the examples of this version's making.
        #expect(found.subtracting(TemplateNames.all).isEmpty)
        #expect(Set(TemplateNames.all).subtracting(found).isEmpty)
    }

    /// Whatever a device is called and however long everything is: never beyond the bound, JSON stays JSON, and a form stays one of the
    /// same fields.
    @Test func noValueBreaksOut() throws {
        var random = SeededGenerator(seed: 59)
        let pieces = [
            "{{title}}", "{{value}}", "{{over}}", "{{#if over}}", "{{else}}", "{{/if}}", "{{device.name | json}}",
            "{{text | url}}", "\"", ":", ",", "{", "}", "[", "]", "\"a\"", "1", "-0.5e1", "true", "null", " ",
            "\\u00e9", "\\",
            "\"{{title}}\"", "\"a\":", "&", "=", "k=",
        ]
        let shapes: [(String, String)] = [("{\"a\":", "}"), ("[", "]"), ("", ""), ("{\"k\":\"", "\"}"), ("k=", "&z=1")]
        var made: [MessageTemplate.ContentType: Int] = [:]
        for _ in 0..<12_000 {
            let shape = shapes.randomElement(using: &random) ?? ("", "")
            let middle = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                pieces.randomElement(using: &random)
            }
            let type = MessageTemplate.ContentType.allCases.randomElement(using: &random) ?? .json
            guard let template = try? MessageTemplate(shape.0 + middle.joined() + shape.1, type: type) else { continue }
            made[type, default: 0] += 1
            let output = template.written(Self.hostile(&random))
            try #require(output.count <= MessageTemplate.longestOutput)
            switch type {
            case .json:
                let json = try? JSONSerialization.jsonObject(with: Data(output), options: .fragmentsAllowed)
                try #require(
                    json != nil, "\(template.text) made \(String(decoding: output.prefix(500), as: UTF8.self))")
            case .form: try #require(output.allSatisfy { (0x21...0x7E).contains($0) })
            case .text: try #require(String(validating: output, as: UTF8.self) != nil)
            }
        }
        for type in MessageTemplate.ContentType.allCases { #expect(made[type] ?? 0 > 60, "\(made) were tried") }
    }

    /// Values that try to end what stands around them, and some that are there or not.
    private static func hostile(_ random: inout SeededGenerator) -> [String: TemplateValue] {
        let texts = [
            "\"}], \"x\": [", "\\", "\u{0}\u{1}\u{1F}\u{7F}\u{2028}", "&admin=1", "\r\nX-Evil: 1", "{{text}}",
            "🐟\u{301}", "",
            String(repeating: "\"\\\n", count: 9000),
        ]
        let literals = ["-1.7976931348623157e+308", "0", "true", "false", "9007199254740991"]
        var values: [String: TemplateValue] = [:]
        for name in TemplateNames.all where Bool.random(using: &random) {
            values[name] =
                Bool.random(using: &random)
                ? .text(texts.randomElement(using: &random) ?? "")
                : .literal(literals.randomElement(using: &random) ?? "0")
        }
        return values
    }

    /// The text with the most places: each still has room for a number.
    @Test func numbersAreNeverCut() throws {
        let places = Array(repeating: "{{side}}", count: MessageTemplate.longest / 8).joined()
        let number = "-1.7976931348623157e+308"
        let output = try Self.written(places, .text, ["side": .literal(number)])
        #expect(output == String(repeating: number, count: MessageTemplate.longest / 8))
        #expect(MessageTemplate.leastRoom >= number.utf8.count + 2)
        let long = try MessageTemplate(places, type: .text).written([
            "side": .text(String(repeating: "é", count: 40_000))
        ])
        #expect(long.count <= MessageTemplate.longestOutput && String(validating: long, as: UTF8.self) != nil)
    }
}
