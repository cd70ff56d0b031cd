import FoundationEssentials
import Secrets
import ServiceKit

/// The secrets of the demonstration: its device's password and its endpoint's secret, but no key of the operator's.
struct DemoCredentials: Sendable {
    let devicePassword: String
    let webhookSecret: WebhookSecret

    private static let passwordFile = "device-password"
    private static let secretFile = "webhook-secret"

    init(devicePassword: String, webhookSecret: WebhookSecret) {
        self.devicePassword = devicePassword
        self.webhookSecret = webhookSecret
    }

    /// - Throws: `OperatorError` if `write(to:)` has not written there.
    init(directory: String) throws {
        func line(_ name: String) throws(OperatorError) -> String {
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)"), !data.isEmpty else {
                throw OperatorError(
                    .invalidInput, "There is no \(name) in \(directory). Run first: aqua demo --prepare \(directory)")
            }
            return String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        devicePassword = try line(Self.passwordFile)
        guard let secret = WebhookSecret(try line(Self.secretFile)) else {
            throw OperatorError(.invalidInput, "\(directory)/\(Self.secretFile) holds no webhook secret.")
        }
        webhookSecret = secret
    }

    /// Writes files that only their owner may read.
    func write(to directory: String) throws {
        for (name, text) in [(Self.passwordFile, devicePassword), (Self.secretFile, webhookSecret.text)] {
            try Self.write(text, to: "\(directory)/\(name)")
        }
    }

    /// Writes a file that only its owner may read.
    static func write(_ text: String, to path: String) throws(OperatorError) {
        try? FileManager.default.removeItem(atPath: path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
        else { throw OperatorError(.invalidInput, "\(path) cannot be written.") }
    }
}
