import Testing

@testable import Gateway

/// Packed scripts run as they would one by one.
@Suite struct ScriptPacksTests {
    /// The scripts of a small app: `main.js` starts, and announces a screen.
    private static let scripts = [
        "/app/main.js": "import { a } from \"./a.js\";\nawait import(\"../screens/home.js\");\nawait a();\n",
        "/app/a.js":
            "import * as b from \"./b.js\";\nexport async function a() {\nreturn import(\"../screens/late.js\");\n}\n",
        "/app/b.js": "export const b = 1;\nconst own = 2;\n",
        "/app/c.js": "import { b as one } from \"./b.js\";\nexport class C {}\n",
        "/screens/home.js":
            "import { a } from \"../app/a.js\";\nimport {\nC,\n} from \"../app/c.js\";\nexport function mount() {}\n",
        "/screens/late.js":
            "import { b } from \"../app/b.js\";\nimport { C as D } from \"../app/c.js\";\nimport { mount } from \"./home.js\";\n",
    ]

    private static func packed(
        _ changes: [String: String] = [:], waiting: [String: Int] = ["/app/main.js": 2], announced: [String]? = nil
    ) throws(PackingFault) -> [String: String] {
        try ScriptPacks.packed(
            scripts.merging(changes) { $1 }, waiting: waiting, started: "/app/main.js",
            announced: announced ?? ["/screens/home.js"])
    }

    @Test func whatTheStartedScriptImportsGoesBesideIt() throws {
        let files = try Self.packed(announced: [])
        #expect(
            files["/app/parts.js"] == """
                const $b = (() => { // /app/b.js
                const b = 1;
                const own = 2;

                return { b };
                })();
                const $a = (() => { // /app/a.js
                const b = $b;
                async function a() {
                return import("/screens/late.js");
                }

                return { a };
                })();
                export { $b, $a };

                """)
        #expect(
            files["/app/main.js"] == """
                import { $a } from "/app/parts.js"; const { a } = $a;
                await import("../screens/home.js");
                await a();

                """)
        #expect(Set(files.keys).subtracting(Self.scripts.keys) == ["/app/parts.js"])
        #expect(files["/app/a.js"] == nil && files["/app/b.js"] == nil)
    }

    @Test func anAnnouncedScriptTakesWithItWhatItNeeds() throws {
        let other = "/screens/other.js"
        let files = try Self.packed(
            [other: "export const other = 1;\n"], announced: ["/screens/home.js", "/screens/other.js"])
        #expect(
            files["/screens/home.js"] == """
                import { $a } from "/app/parts.js";
                import { $b } from "/app/parts.js";
                const $c = (() => { // /app/c.js
                const { b: one } = $b;
                class C {}

                return { C };
                })();
                export { $c };
                // /screens/home.js
                const { a } = $a;
                const { C, } = $c;


                function mount() {}

                export { mount };

                """)
    }

    @Test func aScriptThatTravelsAloneTakesFromThePacks() throws {
        let files = try Self.packed(
            ["/screens/other.js": "export const other = 1;\n"], announced: ["/screens/home.js", "/screens/other.js"])
        #expect(
            files["/screens/late.js"] == """
                import { $b } from "/app/parts.js"; const { b } = $b;
                import { $c } from "/screens/home.js"; const { C: D } = $c;
                import { mount } from "./home.js";

                """)
    }

    @Test func whatEveryAnnouncedScriptNeedsIsAmongTheParts() throws {
        let files = try Self.packed(
            ["/screens/other.js": "import { C } from \"../app/c.js\";\nexport const other = C;\n"],
            announced: ["/screens/home.js", "/screens/other.js"])
        #expect(files["/app/parts.js"]?.contains("// /app/c.js\n") == true)
        #expect(files["/screens/home.js"]?.contains("$c } from \"/app/parts.js\"") == true)
        #expect(files["/screens/other.js"]?.contains("$c } from \"/app/parts.js\"") == true)
    }

    @Test func whatIsImportedWhenNeededIsTakenFromItsPack() throws {
        let late = "const later = () => import(\"../app/b.js\");\n"
        let files = try Self.packed([
            "/screens/late.js": late,
            "/app/a.js": late.replacing("../app", with: ".") + "export async function a() {}\n",
        ])
        let asked = "const later = () => import(\"/screens/home.js\").then(({ $b }) => $b);\n"
        #expect(files["/screens/late.js"] == asked)
        #expect(files["/app/parts.js"]?.contains(asked) == true)
        #expect(files["/app/main.js"]?.contains("import(\"../screens/home.js\");") == true)
    }

    @Test func twoFilesOfOneNameAreCalledByTheirPaths() throws {
        let files = try Self.packed([
            "/water/b.js": "export const b = 2;\n",
            "/app/c.js": "import { b } from \"../water/b.js\";\nexport class C {}\n",
        ])
        #expect(files["/app/parts.js"]?.contains("const $app_b = (() => { // /app/b.js\n") == true)
        #expect(files["/screens/home.js"]?.contains("const $water_b = (() => { // /water/b.js\n") == true)
    }

    /// What would run otherwise in a pack is refused, with the line where it is written.
    @Test(
        arguments: [
            (
                ["/app/b.js": "\nimport { a } from \"./a.js\";\nexport const b = a;\n"], "/app/b.js", 2,
                .ring(with: "/app/a.js")
            ),
            (
                ["/app/c.js": "import { lost } from \"./b.js\";\nexport class C {}\n"], "/app/c.js", 1,
                .unexported(name: "lost", by: "/app/b.js")
            ),
            (
                ["/app/b.js": "import { lost } from \"./lost.js\";\nexport const b = lost;\n"], "/app/b.js", 1,
                .missing(file: "/app/lost.js")
            ),
            (
                ["/screens/late.js": "\nconst later = () => import(\"./lost.js\");\n"], "/screens/late.js", 2,
                .missing(file: "/screens/lost.js")
            ),
            (
                [
                    "/app/b-c.js": "export const b = 1;\n", "/app/b_c.js": "export const c = 1;\n",
                    "/app/b.js": "import { b } from \"./b-c.js\";\nexport const c = b;\n",
                ],
                "/app/b_c.js", 1, .sameName(as: "/app/b-c.js")
            ),
            (["/app/b.js": "export const b = 1;\nexport default {\n};\n"], "/app/b.js", 1, .export),
        ] as [([String: String], String, Int, PackingFault.Reason)])
    func whatWouldRunOtherwiseIsRefused(changes: [String: String], path: String, line: Int, reason: PackingFault.Reason)
    {
        #expect(throws: PackingFault(path: path, line: line, reason: reason)) { try Self.packed(changes) }
    }

    @Test func whatWaitsBeforeItHasRunIsNoPart() {
        #expect(throws: PackingFault(path: "/app/b.js", line: 7, reason: .waits)) {
            try Self.packed(waiting: ["/app/main.js": 2, "/app/b.js": 7])
        }
    }

    @Test func whatIsAnnouncedAndNotThereIsRefused() {
        #expect(throws: PackingFault(path: "/index.html", line: 1, reason: .missing(file: "/screens/lost.js"))) {
            try Self.packed(announced: ["/screens/lost.js"])
        }
    }

    @Test(arguments: [
        ("await start();\n", 1), ("\nconst a = await b();\n", 2), ("for await (const a of b) {}\n", 1),
        ("export const a = await b();\n", 1), ("run(await b());\n", 1),
        ("/**\n * Those who await it.\n */\na();\n", nil),
        ("async function a() {\n    await b();\n    const c = await d();\n}\n", nil),
        ("const a = async () => {\n    await b();\n};\n", nil), ("const a = async () => await b();\n", nil),
    ])
    func waitingIsSeen(text: String, line: Int?) {
        #expect(SourceText(Array(text.utf8), path: "/a.js").waitsAt == line)
    }
}
