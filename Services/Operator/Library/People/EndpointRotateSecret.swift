import ArgumentParser
import Instants
import Postgres
import PushTargets
import Secrets
import Store
import WaterQuality

/// `aqua endpoint rotate-secret`
struct EndpointRotateSecret: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Gives an endpoint a new secret; messages carry signatures by both for a while.",
        discussion: """
            Prints the new secret, this once. Until the overlap ends every message is signed with the new secret and with \
            the one before it, so that the receiver can be told in between and refuses nothing.

            Example:  aqua endpoint rotate-secret 3 --overlap 7d
            """)

    @Argument(help: "The endpoint's number, as aqua endpoint add and test show it.")
    var endpoint: Endpoint.ID
    @Option(help: "How long the secret before it counts as well.")
    var overlap = DurationArgument(.seconds(86_400))
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, keys) = try context.environment.databaseAndSecretKeys()
        let secret = WebhookSecret.generate()
        try await context.withDatabase(database) { connection in
            try await connection.transaction(telling: context.console, output) { transaction in
                guard let known = try transaction.execute(LockEndpoint(endpoint)).first else {
                    throw OperatorError(
                        .notFound,
                        "There is no endpoint \(endpoint) that is in use. aqua endpoint test shows a person's.")
                }
                guard known.channel.known == .webhook else {
                    throw OperatorError(
                        .invalidInput, "Endpoint \(endpoint) is a browser, which has no secret of ours.")
                }
                let until = try transaction.execute(rotation(of: known, to: secret, keys)).first
                return SecretRotationReport(
                    endpoint: endpoint, host: (try? PushTarget(known.target))?.host ?? "unreadable address",
                    secret: secret.text, formerUntil: until?.iso8601 ?? "")
            }
        }
    }

    private func rotation(
        of known: SealedEndpoint, to secret: WebhookSecret, _ keys: SecretKeys
    ) throws -> RotateEndpointSecret {
        do {
            let sealed = try keys.rotate(
                SealedSecret(stored: known.secret), beside: known.target, to: secret.bytes,
                channel: known.channel.rawValue, number: endpoint.rawValue)
            return RotateEndpointSecret(
                endpoint: endpoint, secret: sealed.secret.bytes, former: sealed.former.bytes,
                overlap: overlap.duration)
        } catch let error as SealedSecret.CannotOpen {
            throw OperatorError(.conflict, error.sentence, underlying: error)
        }
    }
}

extension SealedSecret.CannotOpen {
    /// The error and its remedy.
    var sentence: String {
        let text = description
        return text.prefix(1).uppercased() + text.dropFirst() + ". Put that key back, on a line below the newest."
    }
}

struct SecretRotationReport: Report {
    var endpoint: Endpoint.ID
    var host: String
    var secret: String
    var formerUntil: String

    var text: String {
        """
        Endpoint \(endpoint) (\(host)) has a new secret: \(secret)
        Note it now: it is not shown again. The one before it counts as well until \(formerUntil).
        """
    }
}
