import Foundation
import TestSupport
import Testing

@testable import Gateway

/// The packed app behaves like its sources.
@Suite struct AppPackingTests {
    private static func packed(_ files: [String: String]) throws(PackingFault) -> [String: String] {
        try AppPacking.packed(files.mapValues { Array($0.utf8) }).mapValues { String(decoding: $0, as: UTF8.self) }
    }

    private static func script(_ text: String) throws(PackingFault) -> String {
        String(decoding: try SourceText(Array(text.utf8), path: "/a.js").withoutComments(), as: UTF8.self)
    }

    private static func style(_ text: String) throws(PackingFault) -> String {
        String(decoding: try SourceText(Array(text.utf8), path: "/a.css").withoutStyleComments(), as: UTF8.self)
    }

    @Test(arguments: [
        ("/** Says what.\n * And why. */\nexport {};\n", "\n\nexport {};\n"),
        ("    // why\n    run();\n", "\nrun();\n"),
        ("/** @type {number | null} */\nlet a = null;\n", "\nlet a = null;\n"),
        ("const a = /** @type {any} */ (b);\n", "const a =  (b);\n"),
        ("    /** once */ run();\n", "run();\n"),
        ("return /* nothing */\n", "return /* nothing */\n"),
        // Text that only looks like a comment.
        (#"const a = "// no comment";"#, #"const a = "// no comment";"#),
        (#"fetch("https://a.example/*");"#, #"fetch("https://a.example/*");"#),
        ("a = text.match(/\\/*$/);\n/* b */\n", "a = text.match(/\\/*$/);\n\n"),
        (
            "const a = `\n// in a template\n/* as well */\n`;\n// b\n",
            "const a = `\n// in a template\n/* as well */\n`;\n\n"
        ),
        ("const a = `\\`\n// still in it\n\\``;\n", "const a = `\\`\n// still in it\n\\``;\n"),
        ("const a = `\n  b`;\n  c();\n", "const a = `\n  b`;\nc();\n"),
        ("", ""),
    ])
    func commentsOfAScriptStayBehind(written: String, sent: String) throws {
        #expect(try Self.script(written) == sent)
        #expect(sent.count { $0 == "\n" } == written.count { $0 == "\n" })
    }

    @Test(arguments: [
        ("/* why */\na { b: c }\n", "\na { b: c }\n"),
        ("a { /* one\n two */ b: c }", "a { \nb: c }"),
        (#"a::after { content: "/* shown */" }"#, #"a::after { content: "/* shown */" }"#),
        (#"a::after { content: "\"/* shown */" }"#, #"a::after { content: "\"/* shown */" }"#),
    ])
    func commentsOfAStyleStayBehind(written: String, sent: String) throws {
        #expect(try Self.style(written) == sent)
    }

    @Test(arguments: [
        // Nobody knows whether this is a template.
        ("// a\nconst b = /`/;\n", PackingFault.Reason.template, 2), ("a();\n\nb(`c);\n", .template, 3),
        ("a();\n/* never ends\n", .comment, 2),
    ])
    func aScriptThatCannotBeReadIsRefused(text: String, reason: PackingFault.Reason, line: Int) {
        #expect(throws: PackingFault(path: "/a.js", line: line, reason: reason)) { try Self.script(text) }
    }

    @Test func aStyleThatCannotBeReadIsRefused() {
        #expect(throws: PackingFault(path: "/a.css", line: 2, reason: .comment)) {
            try Self.style("a { b: c }\n/* never ends")
        }
    }

    @Test func allStylesGoInOneAnswer() throws {
        let files = try Self.packed([
            "/index.html": """
            <!doctype html>
            <link rel="icon" href="/icons/icon.svg">
            <link rel="stylesheet" href="/styles/tokens.css">
            <link rel="stylesheet" href="/styles/base.css">
            <link rel="stylesheet" href="/screens/*.css">
            <body></body>

            """,
            "/styles/tokens.css": "@layer one, two;\n", "/styles/base.css": "a { b: c }\n",
            "/styles/other.css": "d {}\n", "/screens/b/b.css": "g {}\n", "/screens/a.css": "e {}\n",
            "/screens/b/a/a.css": "f {}\n",
        ])
        #expect(
            files == [
                "/index.html": """
                <!doctype html>
                <link rel="icon" href="/icons/icon.svg">
                <link rel="stylesheet" href="/styles/all.css">
                <body></body>

                """,
                "/styles/all.css": "@layer one, two;\na { b: c }\ne {}\nf {}\ng {}\n", "/styles/other.css": "d {}\n",
            ])
    }

    @Test(arguments: ["/styles/lost.css", "/screens/*.css"])
    func aStyleThatIsNotThereIsRefused(name: String) {
        #expect(throws: PackingFault(path: "/index.html", line: 2, reason: .missing(file: name))) {
            try Self.packed(["/index.html": "<!doctype html>\n<link rel=\"stylesheet\" href=\"\(name)\">\n"])
        }
    }

    @Test func theShellAsksForThePartsOfWhatItStarts() throws {
        let files = try Self.packed([
            "/index.html": """
            <template data-for="person"><link rel="modulepreload" href="/screens/home.js"></template>
            <script type="module" src="/app/main.js"></script>

            """,
            "/app/main.js": "/** Starts. */\nimport { a } from \"./a.js\";\n\nawait a;\n",
            "/app/a.js": "export const a = 1;\n",
            "/screens/home.js": "export const b = 2;\n",
        ])
        #expect(
            files["/index.html"] == """
                <template data-for="person"><link rel="modulepreload" href="/screens/home.js"></template>
                <script type="module" src="/app/main.js"></script>
                <link rel="modulepreload" href="/app/parts.js">

                """)
        #expect(
            files["/app/main.js"] == "\nimport { $a } from \"/app/parts.js\"; const { a } = $a;\n\nawait a;\n")
        #expect(Set(files.keys) == ["/index.html", "/app/main.js", ScriptPacks.parts, "/screens/home.js"])
    }

    @Test func theSentencesOfALanguageGoInOneAnswer() throws {
        let files = try Self.packed([
            "/lang/en.js":
                "import home from \"./en/home.js\";\nimport water from \"./en/water.js\";\nexport default { ...home, ...water };\n",
            "/lang/en/home.js": "/** English. */\nexport default {\n    home: {\n        a: \"b\",\n    },\n};\n",
            "/lang/en/water.js": "export default {\n    water: {},\n};\n",
            // What two scripts import goes with both.
            "/lang/es.js": "import water from \"./en/water.js\";\nexport default { ...water };\n",
        ])
        #expect(
            files["/lang/en.js"] == """
                const home = {
                home: {
                a: "b",
                },
                };
                const water = {
                water: {},
                };
                export default { ...home, ...water };

                """)
        #expect(files["/lang/es.js"] == "const water = {\nwater: {},\n};\nexport default { ...water };\n")
        #expect(files.count == 2)
    }

    @Test func whatAFolderDeclaresStandsInTheListOfFolders() throws {
        let files = try Self.packed([
            "/screens/index.js":
                "/** All. */\nexport { default as home } from \"./home/route.js\";\nexport { default as join } from \"./join/route.js\";\n",
            "/screens/home/route.js": "export default {\n    load: () => import(\"./home.js\"),\n};\n",
            "/screens/join/route.js": "export default {\n    load: () => import(\"../join.js\"),\n};\n",
        ])
        #expect(
            files == [
                "/screens/index.js": """

                export const home = {
                load: () => import("/screens/home/home.js"),
                };
                export const join = {
                load: () => import("/screens/join.js"),
                };

                """
            ])
    }

    @Test(arguments: [
        "export default {\n    b: 1,\n};\nrun();\nexport const c = {\n};\n", "export const b = 1;\n", nil,
    ])
    func whatIsNoObjectIsRefused(other: String?) {
        #expect(throws: PackingFault(path: "/a.js", line: 2, reason: .noObject(file: "/b.js"))) {
            try Self.packed(["/a.js": "\nimport b from \"./b.js\";\n", "/b.js": other].compactMapValues { $0 })
        }
    }

    /// This repository's app loses its comments, and nothing that it may request.
    @Test func theAppItselfIsPacked() throws {
        let folder = Paths.repository.appending(path: "Services/Gateway/Web").path(percentEncoded: false)
        let read = try AppFolder.read(folder)
        let sources = try AppLanguages.added(to: read)
        let files = try AppPacking.packed(read)
        let styles = sources.keys.filter { $0.hasSuffix(".css") }
        let routes = sources.keys.filter { $0.hasPrefix("/screens/") && $0.hasSuffix("route.js") }
        #expect(routes.count > 10)
        let gone = Set(sources.keys).subtracting(styles).subtracting(routes).subtracting(files.keys)
        #expect(Set(files.keys).subtracting(sources.keys) == [AppPacking.styles, ScriptPacks.parts])
        let scripts = files.filter { $0.key.hasSuffix(".js") }
        for (path, bytes) in scripts {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            // Packs name the files that they are made of.
            let comment = lines.first { $0.hasPrefix("//") && !$0.hasPrefix("// /") || $0.contains("/** @") }
            #expect(comment == nil, "\(path)")
        }
        func size(_ files: [String: [UInt8]]) -> Int {
            files.filter { $0.key.hasSuffix(".js") && !$0.key.hasPrefix("/lang/") }.values.reduce(0) { $0 + $1.count }
        }
        let (sent, written) = (size(files), size(sources))
        #expect(sent < written * 4 / 5)
        let sum = sources.filter { styles.contains($0.key) }.values.reduce(0) { $0 + $1.count }
        let all = try #require(files[AppPacking.styles])
        #expect(all.count > sum / 2)
        // Each script that is gone is in exactly one pack.
        let packs = [ScriptPacks.parts, "/screens/entrance/entrance.js", "/screens/home/home.js"].compactMap {
            files[$0]
        }
        #expect(packs.count == 3 && gone.count > 40)
        let packed = packs.map { String(decoding: $0, as: UTF8.self) }.joined()
        for path in gone { #expect(packed.split(separator: "// \(path)\n").count == 2, "\(path)") }
    }
}
