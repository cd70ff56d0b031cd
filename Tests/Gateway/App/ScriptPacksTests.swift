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
        _ changes: [String: String] = [:], waiting: Set<String> = ["/app/main.js"], announced: [String]? = nil
    ) -> [String: String] {
        ScriptPacks.packed(
            scripts.merging(changes) { $1 }, waiting: waiting, started: "/app/main.js",
            announced: announced ?? ["/screens/home.js"])
    }

    @Test func whatTheStartedScriptImportsGoesBesideIt() {
        let files = Self.packed(announced: [])
        #expect(
            files["/app/parts.js"] == """
                const $app_b = (() => { // /app/b.js
                const b = 1;
                const own = 2;

                return { b };
                })();
                const $app_a = (() => { // /app/a.js
                const b = $app_b;
                async function a() {
                return import("/screens/late.js");
                }

                return { a };
                })();
                export { $app_b, $app_a };

                """)
        #expect(
            files["/app/main.js"] == """
                import { $app_a } from "/app/parts.js"; const { a } = $app_a;
                await import("../screens/home.js");
                await a();

                """)
        #expect(Set(files.keys).subtracting(Self.scripts.keys) == ["/app/parts.js"])
        #expect(files["/app/a.js"] == nil && files["/app/b.js"] == nil)
    }

    @Test func anAnnouncedScriptTakesWithItWhatItNeeds() {
        let other = "/screens/other.js"
        let files = Self.packed(
            [other: "export const other = 1;\n"], announced: ["/screens/home.js", "/screens/other.js"])
        #expect(
            files["/screens/home.js"] == """
                import { $app_a } from "/app/parts.js";
                import { $app_b } from "/app/parts.js";
                const $app_c = (() => { // /app/c.js
                const { b: one } = $app_b;
                class C {}

                return { C };
                })();
                export { $app_c };
                // /screens/home.js
                const { a } = $app_a;
                const { C, } = $app_c;


                function mount() {}

                export { mount };

                """)
    }

    @Test func aScriptThatTravelsAloneTakesFromThePacks() {
        let files = Self.packed(
            ["/screens/other.js": "export const other = 1;\n"], announced: ["/screens/home.js", "/screens/other.js"])
        #expect(
            files["/screens/late.js"] == """
                import { $app_b } from "/app/parts.js"; const { b } = $app_b;
                import { $app_c } from "/screens/home.js"; const { C: D } = $app_c;
                import { mount } from "./home.js";

                """)
    }

    @Test func whatEveryAnnouncedScriptNeedsIsAmongTheParts() {
        let files = Self.packed(
            ["/screens/other.js": "import { C } from \"../app/c.js\";\nexport const other = C;\n"],
            announced: ["/screens/home.js", "/screens/other.js"])
        #expect(files["/app/parts.js"]?.contains("// /app/c.js\n") == true)
        #expect(files["/screens/home.js"]?.contains("$app_c } from \"/app/parts.js\"") == true)
        #expect(files["/screens/other.js"]?.contains("$app_c } from \"/app/parts.js\"") == true)
    }

    /// A pack that would change a script's behaviour is not made, and no script is lost.
    @Test(arguments: [
        // A circle of imports.
        ["/app/b.js": "import { a } from \"./a.js\";\nexport const b = a;\n"],
        // A binding that changes.
        ["/app/b.js": "export let b = 1;\n"],
        ["/app/b.js": "const b = 1;\nexport { b };\n"],
        ["/app/b.js": "export const b = import.meta.url;\n"],
        // An import of something that does not exist.
        ["/app/c.js": "import { lost } from \"./b.js\";\n"],
        ["/app/b.js": "import { lost } from \"./lost.js\";\nexport const b = lost;\n"],
        // Two scripts that would get the same name.
        ["/app/b-c.js": "export const b = 1;\n", "/app/b_c.js": "export const c = 1;\n"],
        // A later import of one script alone.
        ["/screens/late.js": "const later = () => import(\"../app/b.js\");\n"],
    ])
    func whatCannotBeMovedStays(changes: [String: String]) {
        let files = Self.packed(changes, announced: [])
        #expect(files["/app/parts.js"] == nil)
        #expect(files == Self.scripts.merging(changes) { $1 })
    }

    @Test func whatWaitsBeforeItHasRunIsNoPart() {
        #expect(Self.packed(waiting: ["/app/main.js", "/app/b.js"], announced: []) == Self.scripts)
    }

    @Test func whoeverImportsInAnotherFormFindsItsFiles() {
        let other = ["/app/other.js": "import b, { c } from \"./b.js\";\n"]
        #expect(Self.packed(other) == Self.scripts.merging(other) { $1 })
        // A script without imports may be written in any way.
        #expect(Self.packed(["/lang/en.js": "export default {};\n"])["/app/parts.js"] != nil)
    }

    @Test(arguments: [
        ("await start();\n", true), ("const a = await b();\n", true), ("for await (const a of b) {}\n", true),
        ("async function a() {\n    await b();\n    const c = await d();\n}\n", false),
        ("const a = async () => {\n    await b();\n};\n", false),
    ])
    func waitingIsSeen(text: String, waits: Bool) {
        #expect(SourceText(Array(text.utf8)).waits == waits)
    }
}
