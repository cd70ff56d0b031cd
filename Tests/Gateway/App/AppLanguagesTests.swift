import Routes
import TestSupport
import Testing
import Words

@testable import Gateway

@Suite struct AppLanguagesTests {
    private static func added(
        _ shell: String, first: String? = "[\n\"start\",\n\"language\",\n\"account.event\"\n]"
    ) throws -> [String: String] {
        var files = ["/index.html": shell, "/lang/index.js": ""].mapValues { Array($0.utf8) }
        files["/lang/first.json"] = first.map { Array($0.utf8) }
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

    @Test func `what the first screens ask for is in one script, and all else in the other`() throws {
        let files = try Self.added("")
        #expect(files["/lang/first.json"] == nil)
        for language in Language.allCases {
            let catalogue = try #require(Catalogue.all.first { $0.code == language.rawValue })
            let first = try #require(files["/lang/\(language.rawValue).js"])
            let others = try #require(files["/lang/\(language.rawValue)-others.js"])
            #expect(others.hasPrefix("export default {\n") && others.hasSuffix("};\n"))
            // A section may be in both.
            #expect(first.contains("\naccount: {\"event_") && !first.contains("\"events\":"))
            #expect(others.contains("\naccount: {") && others.contains("\"events\":"))
            #expect(!others.contains("\"event_") && !others.contains("\nstart: "))
            let names = catalogue.app.flatMap { section, texts in texts.keys.map { (section, $0) } }
            func count(_ script: String) throws -> Int {
                let lines = script.split(separator: "\n").dropFirst().dropLast()
                return try lines.reduce(0) { count, line in
                    let object = Array(line[line.firstIndex(of: "{")!...].dropLast().utf8)
                    guard case .object(let members) = try JSON(reading: object) else { return count }
                    return count + members.count
                }
            }
            #expect(try count(first) + count(others) == names.count)
        }
    }

    @Test(arguments: [
        (nil, PackingFault(path: "/lang/index.js", line: 1, reason: .missing(file: "/lang/first.json"))),
        ("{}", PackingFault(path: "/lang/first.json", line: 1, reason: .noList)),
        ("[\n\"start\",\n7\n]", PackingFault(path: "/lang/first.json", line: 3, reason: .noList)),
        (
            "[\n\"start.nothing\"\n]",
            PackingFault(path: "/lang/first.json", line: 2, reason: .unworded(key: "start.nothing", language: "en"))
        ),
        // An entry ends where a name's part does.
        (
            "[\n\"account.even\"\n]",
            PackingFault(path: "/lang/first.json", line: 2, reason: .unworded(key: "account.even", language: "en"))
        ),
    ])
    func `a list that is none, or names nothing, is refused by its line`(list: String?, fault: PackingFault) {
        #expect(throws: fault) { try Self.added("", first: list) }
    }

    @Test func `the list names each language and its scripts`() throws {
        let list = try #require(try Self.added("")["/lang/languages.js"])
        for language in Language.allCases {
            #expect(list.contains("\"\(language.rawValue)\":\"\(language.name)\""))
            #expect(list.contains("first: () => import(\"./\(language.rawValue).js\")"))
            #expect(list.contains("others: () => import(\"./\(language.rawValue)-others.js\")"))
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
