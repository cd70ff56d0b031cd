import Testing

@testable import Gateway

/// The forms in which scripts may import and export, and that any other is refused where it stands.
@Suite struct ScriptModuleTests {
    private static func module(_ text: String) throws(PackingFault) -> ScriptModule {
        try ScriptModule(path: "/app/deep/a.js", text: text, waitsAt: nil)
    }

    @Test(arguments: [
        ("import { a } from \"./b.js\";", ScriptModule.Import.Names.some("a"), "/app/deep/b.js"),
        ("import { a as b, c } from \"../b.js\";", .some("a as b, c"), "/app/b.js"),
        ("import {\na,\nb,\n} from \"./b.js\";", .some("a, b,"), "/app/deep/b.js"),
        ("import * as a from \"./b.js\";", .all("a"), "/app/deep/b.js"),
        ("import \"./b.js\";", .none, "/app/deep/b.js"),
        ("import a from \"./b.js\";", .object("a", isExported: false), "/app/deep/b.js"),
        ("export { default as a } from \"../../b.js\";", .object("a", isExported: true), "/b.js"),
    ])
    func importsAreRead(text: String, names: ScriptModule.Import.Names, target: String) throws {
        let imports = try Self.module("\n\(text)\nrun();\n").imports
        #expect(imports.map(\.names) == [names] && imports.map(\.target) == [target])
        #expect(imports.map(\.lines.lowerBound) == [1])
    }

    @Test(arguments: [
        ("export function a() {", ["a"]), ("export async function a() {", ["a"]), ("export class A {", ["A"]),
        ("export class A extends B {", ["A"]), ("export const a = 1;", ["a"]), ("export {};", []),
        ("export default {\n};", []), ("exported();", []), ("export.a = 1;", []),
    ])
    func exportsAreRead(text: String, names: [String]) throws {
        #expect(try Self.module(text).exports == names)
    }

    @Test func whatIsImportedLaterIsNamedFromTheRoot() throws {
        let module = try Self.module("const a = () => import(\"../b.js\"), c = import(\"./d.js\");\nreimport(e);\n")
        #expect(module.laterImports.map(\.target) == ["/app/b.js", "/app/deep/d.js"])
        #expect(module.lines { _ in "" }[0] == "const a = () => import(\"/app/b.js\"), c = import(\"/app/deep/d.js\");")
    }

    @Test(arguments: [
        // A binding that changes, or has no line of its own.
        ("export let a = 1;", PackingFault.Reason.export), ("export var a = 1;", .export),
        ("const a = 1;\nexport { a };", .export), ("export const { a, b } = c;", .export),
        ("export const [a] = c;", .export), ("export function* a() {}", .export),
        ("export default function a() {}", .export),
        ("export default a;", .export), ("export * from \"./b.js\";", .export),
        ("export { a } from \"./b.js\";", .export),
        ("export * as b from \"./b.js\";", .export), ("export{ a };", .export), ("export const a = 1, b = 2;", .export),
        // Names that are not whole, or not of the app.
        ("import a, { b } from \"./b.js\";", .import), ("import a, * as b from \"./b.js\";", .import),
        ("import { a } from './b.js';", .import), ("import { a } from \"b\";", .import),
        ("import { a } from \"/b.js\";", .import), ("import { a } from \"https://a.example/b.js\";", .import),
        ("import {a} from \"./b.js\";", .import), ("import{ a } from \"./b.js\";", .import),
        ("import { a } from \"./b.js\"", .import), ("import { a } from \"./b.js\"; run();", .import),
        ("import { a } from \"./b.json\" with { type: \"json\" };", .import),
        ("import type a from \"./b.js\";", .import),
        // What is not named where it is imported.
        ("const a = import(name);", .later), ("const a = import('./b.js');", .later),
        ("const a = import(`./b.js`);", .later),
        ("const a = import (\"./b.js\");", .later), ("const a = import(\"./\" + b);", .later),
        ("const a = import.meta.url;", .meta),
        ("run(); import { a } from \"./b.js\";", .behind), ("}export { a };", .behind),
        ("a(); export const b = 1;", .behind),
    ])
    func otherFormsAreRefused(text: String, reason: PackingFault.Reason) {
        let line = text.hasPrefix("const a = 1;\n") ? 4 : 3
        #expect(throws: PackingFault(path: "/app/deep/a.js", line: line, reason: reason)) {
            try Self.module("run();\n\n\(text)\nrun();\n")
        }
    }

    @Test func whoeverStartsTheAppReadsWhere() throws {
        let files = [
            "/index.html": "<script type=\"module\" src=\"/app/a.js\"></script>\n",
            "/app/a.js": "\n\nexport let a = 1;\n",
        ]
        let fault = #expect(throws: AppFault.self) { try WebApp(files: files.mapValues { Array($0.utf8) }) }
        #expect(
            fault?.story
                == "holds /app/a.js, which at its line 3 exports otherwise than by 'export function', 'export class' or 'export const' and a name"
        )
    }
}
