import Foundation
import Mail
import ServiceKit
import Testing

/// The operator's settings of mail.
@Suite struct MailServerTests {
    private static func read(_ environment: [String: String]) throws -> MailServer? {
        try Configuration.read(from: environment) { MailServer($0, $0.brand()) }
    }

    @Test func noServerIsNamed() throws {
        #expect(try Self.read([:]) == nil)
    }

    @Test(
        arguments: [
            ("smtps://mail.example.org", 465, .fromTheStart), ("smtp://mail.example.org", 587, .demanded),
            ("smtp://mail.example.org:2525", 2525, .demanded), ("smtp+plain://mail.example.org", 25, .none),
        ] as [(String, Int, MailServer.Encryption)])
    func servers(url: String, port: Int, encryption: MailServer.Encryption) throws {
        let server = try #require(try Self.read(["AQUA_SMTP_URL": url, "AQUA_MAIL_FROM": "alerts@example.org"]))
        #expect(server.host == "mail.example.org" && server.port == port && server.encryption == encryption)
        guard case .none = server.credential else { return #expect(Bool(false), "no credential was given") }
    }

    @Test(
        arguments: [
            (["AQUA_SMTP_URL": "http://mail.example.org"], "AQUA_SMTP_URL"),
            (["AQUA_SMTP_URL": "smtp://mail.example.org/path"], "AQUA_SMTP_URL"),
            (["AQUA_MAIL_FROM": "nobody"], "AQUA_MAIL_FROM"), (["AQUA_MAIL_FROM": ""], "AQUA_MAIL_FROM"),
            (["AQUA_SMTP_USER": "ada"], "AQUA_SMTP_USER"),
            (["AQUA_SMTP_PASSWORD": "secret"], "AQUA_SMTP_PASSWORD"),
            (["AQUA_SMTP_CA_FILE": "/nowhere.pem"], "AQUA_SMTP_CA_FILE"),
        ] as [([String: String], String)])
    func faults(changes: [String: String], variable: String) throws {
        let environment = ["AQUA_SMTP_URL": "smtp://mail.example.org", "AQUA_MAIL_FROM": "alerts@example.org"]
        let faults = #expect(throws: ConfigurationFaults.self) { try Self.read(environment.merging(changes) { $1 }) }
        #expect(faults?.faults.map(\.variable).contains(variable) == true)
    }

    @Test func noPasswordGoesInClear() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "smtp-\(UUID().uuidString)").path(
            percentEncoded: false)
        #expect(
            FileManager.default.createFile(
                atPath: file, contents: Data("secret".utf8), attributes: [.posixPermissions: 0o600]))
        defer { try? FileManager.default.removeItem(atPath: file) }
        var environment = [
            "AQUA_SMTP_URL": "smtp://mail.example.org", "AQUA_MAIL_FROM": "alerts@example.org", "AQUA_SMTP_USER": "ada",
            "AQUA_SMTP_PASSWORD_FILE": file,
        ]
        let server = try #require(try Self.read(environment))
        guard case .password("ada", _) = server.credential else {
            return #expect(Bool(false), "the password was given")
        }
        environment["AQUA_SMTP_URL"] = "smtp+plain://mail.example.org"
        let faults = #expect(throws: ConfigurationFaults.self) { try Self.read(environment) }
        #expect(faults?.faults.map(\.variable) == ["AQUA_SMTP_URL"])
    }
}
