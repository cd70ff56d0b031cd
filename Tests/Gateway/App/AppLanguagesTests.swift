import Routes
import TestSupport
import Testing
import Words

@testable import Gateway

@Suite struct AppLanguagesTests {
    private static func added(_ shell: String) throws -> [String: String] {
        let files = ["/index.html": shell, "/lang/index.js": ""].mapValues { Array($0.utf8) }
        return try AppLanguages.added(to: files).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `each language has a script with the sentences of the app alone`() throws {
        let files = try Self.added("")
        for language in Language.allCases {
            let script = try #require(files["/lang/\(language.rawValue).js"])
            #expect(script.hasPrefix("export default {\n") && script.hasSuffix("};\n"))
            let tagline = JSON.string(language.text("start.tagline")).text
            #expect(script.contains("\"tagline\":\(tagline)"))
            // By the rules of the services the app writes times, too.
            #expect(script.contains("\nlanguage: {\"at\":") && script.contains("\"clock\":"))
            // Texts of services alone do not travel.
            #expect(!script.contains("wrong-credentials") && !script.contains("notice:"))
        }
    }

    @Test func `the list names each language and its script`() throws {
        let list = try #require(try Self.added("")["/lang/languages.js"])
        for language in Language.allCases {
            #expect(list.contains("\"\(language.rawValue)\":\"\(language.name)\""))
            #expect(list.contains("import(\"./\(language.rawValue).js\")"))
        }
    }

    @Test func `the shell names the languages, and has its sentences in each`() throws {
        let shell = "<html data-languages=\"\">\n<h1>\n    <span data-words=\"start.tagline\"></span>\n</h1>"
        let lines = try #require(try Self.added(shell)["/index.html"]).split(separator: "\n").map(String.init)
        #expect(lines[0] == "<html data-languages=\"\(Language.allCases.map(\.rawValue).joined(separator: " "))\">")
        #expect(
            lines[2..<(2 + Language.allCases.count)]
                == Language.allCases.map {
                    "    <span lang=\"\($0.rawValue)\">\($0.text("start.tagline"))</span>"
                }[...])
        #expect(lines.last == "</h1>")
    }

    @Test func `a sentence that no language has is refused by its line`() {
        #expect(
            throws: PackingFault(path: "/index.html", line: 2, reason: .unworded(key: "start.nothing", language: "en"))
        ) {
            try Self.added("<p>\n<span data-words=\"start.nothing\"></span>")
        }
    }

    /// Apps of other operators have their own sentences.
    @Test func `an app without the list of languages is left as it is`() throws {
        let files = ["/index.html": Array("<html data-languages=\"\">".utf8)]
        #expect(try AppLanguages.added(to: files) == files)
    }
}
