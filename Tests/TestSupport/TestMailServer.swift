import Foundation

/// A real mail server (`Tests/Mail/Server`), which tells of each mail as Python's parser reads it, and refuses by the recipient's name.
package final class TestMailServer: Sendable {
    package enum Mode: String, Sendable { case tls, starttls, plain }

    package struct Mail: Decodable, Sendable {
        package var from: String
        package var to: [String]
        package var helo: String
        package var isEncrypted: Bool
        package var isAuthenticated: Bool
        /// Counted from 1 on each connection.
        package var number: Int
        package var headers: [String: [String]]
        package var defects: [String]
        package var text: String
        package var html: String
        /// The length of the longest line, in bytes.
        package var longest: Int

        /// The one value of a header.
        package func header(_ name: String) -> String? {
            let values = headers.first { $0.key.lowercased() == name.lowercased() }?.value ?? []
            return values.count == 1 ? values[0] : nil
        }

        /// The address in the text that begins so.
        package func link(_ beginning: String) -> String? {
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(beginning) }.map(String.init)
        }
    }

    package static let user = "alerts@example.org"
    package static let password = "mail's secret"
    package static let token = "ya29.token"

    package let port: Int
    /// A PEM file with the certificate.
    package let authorityFile: String
    private let process: ProcessUnderTest?

    /// Nobody listens there.
    package static let unreachable = TestMailServer(nil, Start(port: 9, authority: ""))

    private struct Start: Decodable {
        var port: Int
        var authority: String
    }

    private init(_ process: ProcessUnderTest?, _ start: Start) {
        self.process = process
        port = start.port
        authorityFile = start.authority
    }

    /// - Parameter asksForLogin: Whether it takes nothing from strangers.
    package static func with<Result>(
        _ mode: Mode = .plain, asksForLogin: Bool = false, _ body: (TestMailServer) async throws -> Result
    ) async throws -> Result {
        let script = Paths.repository.appending(path: "Tests/Mail/Server/mail_server.py").path(percentEncoded: false)
        let process = try ProcessUnderTest.start(
            Paths.python, [script, mode.rawValue] + (asksForLogin ? ["--auth"] : []))
        do {
            let line = try await process.line { $0.hasPrefix("{\"port\"") }
            let start = try JSONDecoder().decode(Start.self, from: Data(line.utf8))
            let result = try await body(TestMailServer(process, start))
            await process.stop()
            return result
        } catch {
            await process.stop()
            throw error
        }
    }

    package var received: [Mail] {
        get throws {
            try (process?.output.all ?? []).dropFirst().filter { $0.hasPrefix("{") }
                .map { try JSONDecoder().decode(Mail.self, from: Data($0.utf8)) }
        }
    }

    /// How often somebody has tried to sign in by a password.
    package var attempts: Int { process?.output.all.count { $0 == "sign-in" } ?? 0 }

    /// How many senders wait for an answer that does not come.
    package var hanging: Int { process?.output.all.count { $0 == "hangs" } ?? 0 }

    /// Waits for as many mails, to one address or to all.
    package func mails(_ count: Int, to address: String? = nil) async throws -> [Mail] {
        try await awaitFact("\(count) mails") {
            let mails = try self.received.filter { address == nil || $0.to == [address] }
            return mails.count >= count ? mails : nil
        }
    }
}
