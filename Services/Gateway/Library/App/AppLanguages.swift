import Routes
import Words

/// The app's languages, made from the catalogues that the services read too: their list, two scripts with the sentences of each, and
/// the introduction in all of them, which the shell shows before any script has run.
///
/// | in the sources | as it is served |
/// |---|---|
/// | `import ... from "./languages.js"` below `/lang` | the list, by which each catalogue is asked for, and the installation's look |
/// | `/lang/first.json` | not; what it names is in `/lang/en.js`, and all else in `/lang/en-others.js` |
/// | `data-languages=""` of the shell | the codes: `en ja es de` |
/// | a line with `<span data-words="start.tagline"></span>` in the shell | a line a language: `<span lang="en">...</span>` |
struct AppLanguages {
    /// - Returns: The files with the languages' own added.
    static func added(
        to files: [String: [UInt8]], _ look: AppLook = .product
    ) throws(PackingFault) -> [String: [UInt8]] {
        guard files["/lang/index.js"] != nil else { return files }
        var files = files
        let first = try FirstWords(files.removeValue(forKey: FirstWords.path))
        for catalogue in Catalogue.all {
            files["/lang/\(catalogue.code).js"] = Array(script(catalogue) { first.contain($0, of: $1) }.utf8)
            files["/lang/\(catalogue.code)-others.js"] = Array(script(catalogue) { !first.contain($0, of: $1) }.utf8)
        }
        files["/lang/languages.js"] = Array(list(look).utf8)
        if let shell = files["/index.html"] {
            files["/index.html"] = Array(try filled(String(decoding: shell, as: UTF8.self), look).utf8)
        }
        return files
    }

    private static func list(_ look: AppLook) -> String {
        let names = JSON.object(Language.allCases.map { .init($0.rawValue, .string($0.name)) })
        let catalogues = Language.allCases.map { language in
            let code = language.rawValue
            return "    \(code): {\n        first: () => import(\"./\(code).js\"),\n"
                + "        others: () => import(\"./\(code)-others.js\"),\n    },\n"
        }.joined()
        return "export const languages = \(names.text);\nexport const catalogues = {\n\(catalogues)};\n"
            + "export const brand = \(look.script);\n"
    }

    /// - Parameter isIn: Whether the script has a text, by its name and its section.
    private static func script(_ catalogue: Catalogue, isIn: (String, String) -> Bool) -> String {
        let sections = catalogue.app.sorted { $0.key < $1.key }.compactMap { section, texts -> String? in
            let own = texts.filter { isIn($0.key, section) }.sorted { $0.key < $1.key }
            guard !own.isEmpty else { return nil }
            return "\(section): \(JSON.object(own.map { .init($0.key, json($0.value)) }).text),\n"
        }
        return "export default {\n\(sections.joined())};\n"
    }

    private static func json(_ text: Catalogue.Text) -> JSON {
        switch text {
        case .plain(let text): .string(text)
        case .forms(let forms): .object(forms.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        }
    }

    private static func filled(_ shell: String, _ look: AppLook) throws(PackingFault) -> String {
        let codes = Language.allCases.map(\.rawValue).joined(separator: " ")
        let listed = shell.replacing("data-languages=\"\"", with: "data-languages=\"\(codes)\"")
        var lines: [String] = []
        for (number, line) in listed.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let start = line.firstRange(of: "<span data-words=\""), let end = line.firstRange(of: "\"></span>")
            else {
                lines.append(String(line))
                continue
            }
            let key = String(line[start.upperBound..<end.lowerBound])
            for language in Language.allCases {
                guard language.has(key) else {
                    throw PackingFault(
                        path: "/index.html", line: number + 1, reason: .unworded(key: key, language: language.rawValue))
                }
                let text =
                    "<span lang=\"\(language.rawValue)\">\(escaped(language.text(key, ["brand": look.brand.name])))</span>"
                lines.append(line[..<start.lowerBound] + text + line[end.upperBound...])
            }
        }
        return lines.joined(separator: "\n")
    }
}
