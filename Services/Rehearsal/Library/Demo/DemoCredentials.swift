import FoundationEssentials
import Instants
import Operator
import Secrets
import ServiceKit

/// Credentials of a running demonstration: its device's password, its endpoint's secret, and the end of the recorded
/// water; none of the operator's keys.
struct DemoCredentials: Sendable {
    let devicePassword: String
    let webhookSecret: WebhookSecret
    /// nil where the device has readings of its own.
    let recordedUntil: Timestamp?

    private static let passwordFile = "device-password"
    private static let secretFile = "webhook-secret"
    private static let pastFile = "recorded-until"

    init(devicePassword: String, webhookSecret: WebhookSecret, recordedUntil: Timestamp? = nil) {
        self.devicePassword = devicePassword
        self.webhookSecret = webhookSecret
        self.recordedUntil = recordedUntil
    }

    /// - Throws: `OperatorError` if the directory lacks the files of `write(to:)`.
    init(directory: String) throws {
        func line(_ name: String) throws(OperatorError) -> String {
            guard let data = FileManager.default.contents(atPath: "\(directory)/\(name)"), !data.isEmpty else {
                throw OperatorError(
                    .invalidInput,
                    "There is no \(name) in \(directory). Run first: aqua-rehearsal demo --prepare \(directory)")
            }
            return String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        devicePassword = try line(Self.passwordFile)
        guard let secret = WebhookSecret(try line(Self.secretFile)) else {
            throw OperatorError(.invalidInput, "\(directory)/\(Self.secretFile) holds no webhook secret.")
        }
        webhookSecret = secret
        recordedUntil = (try? line(Self.pastFile)).flatMap { Timestamp($0) }
    }

    /// Writes files that only their owner may read.
    func write(to directory: String) throws {
        for (name, text) in [(Self.passwordFile, devicePassword), (Self.secretFile, webhookSecret.text)] {
            try PrivateFile.write(text, to: "\(directory)/\(name)")
        }
        let past = "\(directory)/\(Self.pastFile)"
        if let recordedUntil {
            try PrivateFile.write(recordedUntil.iso8601, to: past)
        } else {
            try? FileManager.default.removeItem(atPath: past)
        }
    }
}
