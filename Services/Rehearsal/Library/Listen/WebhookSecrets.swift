import Instants
import Operator
import Secrets
import WaterQuality

/// The secrets that a receiver accepts; there are two while one is being rotated.
struct WebhookSecrets: Sendable {
    private let secrets: [WebhookSecret]

    init(_ secrets: [WebhookSecret]) { self.secrets = secrets }

    /// Verifies a message with each secret and returns the most favourable verdict.
    func verify(_ message: IncomingWebhook, now: Timestamp) -> WebhookSecret.Verdict {
        var verdict = WebhookSecret.Verdict.forged
        for secret in secrets {
            verdict = secret.verify(
                id: message.id, timestamp: message.timestamp, signatures: message.signatures, body: message.body,
                now: now.microseconds / 1_000_000)
            if verdict != .forged { break }
        }
        return verdict
    }

    /// Reads a file with one secret (`whsec_...`) on each line; empty lines and lines that begin with `#` are skipped.
    /// - Throws: `OperatorError` that names the file and the line, never the secret.
    init(file path: String) throws {
        let text = try Self.text(of: path)
        var secrets: [WebhookSecret] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.filter { !$0.isWhitespace }
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let secret = WebhookSecret(line) else {
                throw OperatorError(
                    .invalidInput,
                    "\(path), line \(index + 1), is no webhook secret: it begins with whsec_, as `aqua endpoint add` printed it."
                )
            }
            secrets.append(secret)
        }
        guard !secrets.isEmpty else {
            throw OperatorError(
                .invalidInput,
                "\(path) holds no webhook secret. Write the one into it that `aqua endpoint add` printed.")
        }
        self.init(secrets)
    }

    private static func text(of path: String) throws -> String {
        let file = try ByteFile(path: path)
        guard try !file.isReadableByOthers() else {
            throw OperatorError(.invalidInput, "\(path) is readable by other users. Run: chmod 0600 \(path)")
        }
        var bytes: [UInt8] = []
        while bytes.count < longest {
            let chunk = try file.nextChunk()
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let longest = 1 << 16
}
