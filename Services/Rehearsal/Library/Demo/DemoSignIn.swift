import FoundationEssentials
import Operator
import Secrets

/// The demonstration's person, with a generated password.
///
/// A named file gets the password only once the account has it, so an existing file is right.
struct DemoSignIn {
    let email: String
    let file: String?

    func add(in context: OperatorContext) async throws {
        let kept = file.flatMap { FileManager.default.contents(atPath: $0) }
            .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
        // 256 random bits, like a webhook's secret, but without its prefix.
        let password = kept ?? String(WebhookSecret.generate().text.dropFirst(6))
        let context = context.recording(password: password) { _ in }
        do {
            try await Aqua.perform(["account", "add", email], in: context)
        } catch let error as OperatorError where error.code == .conflict {
            // The account is left over from an earlier demonstration; nobody may know its password any more.
            if kept == nil, file != nil { try await Aqua.perform(["account", "password", email], in: context) }
        }
        guard kept == nil, let file else { return }
        try PrivateFile.write(password, to: file)
    }
}
