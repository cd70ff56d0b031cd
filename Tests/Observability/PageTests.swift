import Foundation
import TestSupport
import Testing

/// The pages for users and maintainers: everything that they name exists.
@Suite struct PageTests {
    private static let pages: [String] = {
        let below = ["deploy", "deploy/ha"].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: Paths.repository.appending(path: folder).path)) ?? [])
                .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        }
        return ["README.md", "Tests/Model/README.md"] + below.sorted()
    }()

    private static func text(of page: String) throws -> String {
        try String(contentsOf: Paths.repository.appending(path: page), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Paths.repository.appending(path: path).standardized.path)
    }

    @Test(arguments: pages) func everyPathIsThere(_ page: String) throws {
        let paths = try Self.text(of: page).matches(of: #/`((?:Services|Shared|Tests|deploy)/[\w./+*-]+)`/#).map {
            String($0.1)
        }
        for path in paths where !path.contains("*") {
            #expect(Self.exists(path) || Self.exists("\(path).swift"), "\(page) names \(path)")
        }
    }

    @Test(arguments: pages) func everyLinkLeadsSomewhere(_ page: String) throws {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        for link in try Self.text(of: page).matches(of: #/\]\(([^)#]*)(#[^)]*)?\)/#) where !link.1.contains("://") {
            let target = link.1.isEmpty ? page : (folder.isEmpty ? "" : "\(folder)/") + link.1
            #expect(Self.exists(target), "\(page) leads to \(link.1)")
            guard let anchor = link.2?.dropFirst(), target.hasSuffix(".md") else { continue }
            let path = Paths.repository.appending(path: target).standardized
            let anchors = try String(contentsOf: path, encoding: .utf8).matches(of: #/(?m)^#+ (.*)$/#).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
                    .replacingOccurrences(of: " ", with: "-")
            }
            #expect(anchors.contains(String(anchor)), "\(page) leads to \(link.1)#\(anchor)")
        }
    }

    @Test func thereArePages() { #expect(Self.pages.count > 10) }

    /// The first page says what this is, with two commands and a picture.
    @Test func theFirstPageIsShort() throws {
        #expect(try Self.text(of: "README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 91)
    }
}
