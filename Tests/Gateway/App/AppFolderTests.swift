import Foundation
import ServiceKit
import TestSupport
import Testing

@testable import Gateway

/// The rules for a folder's files, so that nothing is served by mistake.
@Suite struct AppFolderTests {
    private func withFolder(_ files: [String: String], _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(folder)
    }

    private func read(_ folder: URL) throws -> [String: [UInt8]] {
        try AppFolder.read(folder.path(percentEncoded: false))
    }

    @Test func filesAreReadByTheirPaths() throws {
        try withFolder(["index.html": "a", "app/deep/main.js": "b"]) { folder in
            let files = try read(folder)
            #expect(files == ["/index.html": [97], "/app/deep/main.js": [98]])
        }
    }

    @Test func hiddenFilesAreLeftOut() throws {
        try withFolder(["index.html": "a", ".env": "secret", ".git/config": "secret"]) { folder in
            let files = try read(folder)
            #expect(files.keys.sorted() == ["/index.html"])
        }
    }

    @Test func aLinkIsRefused() throws {
        try withFolder(["index.html": "a"]) { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "users.json"), withDestinationURL: URL(filePath: "/etc/passwd"))
            #expect(throws: AppFault.link(path: "/users.json")) { try read(folder) }
        }
    }

    @Test(arguments: ["key.pem", "page.php", "README", "main.js~"])
    func whatNoAppHasIsRefused(name: String) throws {
        try withFolder(["index.html": "a", name: "b"]) { folder in
            #expect(throws: AppFault.self) { try read(folder) }
        }
    }

    @Test func namesMeanThemselvesInAnAddress() throws {
        try withFolder(["index.html": "a", "a b.js": "b"]) { folder in
            #expect(throws: AppFault.name(path: "/a b.js")) { try read(folder) }
        }
    }

    @Test func sizesAreBounded() throws {
        try withFolder(["index.html": "a", "large.js": String(repeating: " ", count: (1 << 20) + 1)]) { folder in
            #expect(throws: AppFault.tooLarge(path: "/large.js")) { try read(folder) }
        }
        let many = Dictionary(
            uniqueKeysWithValues: (0..<9).map { ("\($0).js", String(repeating: " ", count: 1 << 20)) })
        try withFolder(many) { folder in
            #expect(throws: AppFault.tooLarge(path: "/8.js")) { try read(folder) }
        }
        let files = Dictionary(uniqueKeysWithValues: (0...AppFolder.mostFiles).map { ("\($0).js", "") })
        try withFolder(files) { folder in
            #expect(throws: AppFault.tooMany) { try read(folder) }
        }
    }

    @Test func aFolderWithoutAShellIsNoApp() throws {
        try withFolder(["main.js": "a"]) { folder in
            #expect(throws: AppFault.noIndex) { try WebApp(folder: folder.path(percentEncoded: false)) }
        }
    }

    @Test func aFolderThatIsNotThereIsToldAtTheStart() {
        let nowhere = "/nonexistent/web"
        #expect(throws: AppFault.unreadable(path: nowhere, reason: "No such file or directory")) {
            try AppFolder.read(nowhere)
        }
        #expect(AppFault.unreadable(path: nowhere, reason: "No such file or directory").story.contains(nowhere))
    }

    /// The service accepts this repository's own app.
    @Test func theAppItselfIsServed() throws {
        let folder = Paths.repository.appending(path: "Services/Gateway/Web")
        let app = try WebApp(folder: folder.path(percentEncoded: false))
        #expect(!app.version.isEmpty)
    }
}
