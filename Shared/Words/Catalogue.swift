import CLanguages
import FoundationEssentials

/// The texts of one language, read from its file.
///
/// The file has groups of sections by who shows them: `language` (how numbers and times are written) and `shared` (services and web
/// app), `app` (the web app alone) and `services`. A section may stand in several groups. A text is a string, or an object of its forms.
package struct Catalogue: Sendable {
    /// The languages in the order in which they are offered, which is that of `CLanguages`.
    package static let all: [Catalogue] = {
        var all: [Catalogue] = []
        while let bytes = language_file_at(all.count).contents { all.append(Catalogue(bytes)) }
        return all
    }()

    package let code: String
    /// By `section.name`.
    let texts: [String: TextForms]
    /// The sections that the web app shows, as they stand in the file.
    package let app: [String: [String: Text]]

    /// A text as it stands in the file.
    package enum Text: Hashable, Sendable {
        case plain(String)
        case forms([String: String])
    }

    private init(_ bytes: Data) {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: bytes)
        } catch {
            preconditionFailure("A file of Shared/Words/Languages is no catalogue: \(error)")
        }
        guard case .plain(let code)? = file.language["code"] else {
            preconditionFailure("A file of Shared/Words/Languages has no language.code.")
        }
        self.code = code
        app = file.shared.merging(file.app) { one, _ in one }.merging(["language": file.language]) { one, _ in one }
        var texts: [String: TextForms] = [:]
        for sections in [file.shared, file.app, file.services, ["language": file.language]] {
            for (section, entries) in sections {
                for (name, text) in entries { texts["\(section).\(name)"] = TextForms(text.forms) }
            }
        }
        self.texts = texts
    }

    private struct File: Decodable {
        let language: [String: Text]
        let shared: [String: [String: Text]]
        let app: [String: [String: Text]]
        let services: [String: [String: Text]]
    }
}

extension Catalogue.Text: Decodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = .plain(try container.decode(String.self))
        } catch {
            self = .forms(try container.decode([String: String].self))
        }
    }

    fileprivate var forms: [String: String] {
        switch self {
        case .plain(let text): ["other": text]
        case .forms(let forms): forms
        }
    }
}

extension language_file {
    /// The text of the file, which is never freed; `nil` after the last one.
    fileprivate var contents: Data? { bytes.map { Data(bytes: $0, count: count) } }
}
