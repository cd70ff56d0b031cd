import ArgumentParser
import People
import Postgres
import PushTargets
import Secrets
import ServiceKit
import Store
import WaterQuality

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint", abstract: "Where a person is alerted.",
        subcommands: [EndpointAdd.self, EndpointRemove.self, EndpointRotateSecret.self, EndpointTest.self])
}

/// `aqua endpoint add`
struct EndpointAdd: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds an address that a person's alerts are sent to.",
        discussion: """
            Prints, this once, the secret by which the receiver knows that a message is genuine (Standard Webhooks). An \
            address that is registered already gets a new secret. Another person's has to be removed first: aqua endpoint \
            remove.

            Addresses are https on port 443 of public hosts; AQUA_PUSH_ALLOW permits others.

            Example:  aqua endpoint add ada@example.org --webhook https://alerts.example.org/ada
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(help: "The address that receives signed POST requests.")
    var webhook: String
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, keys, policy) = try context.environment.require { reader in
            let database = reader.database()
            let policy = reader.pushTargetPolicy()
            return reader.secretKeys().map { (database, $0, policy) }
        }
        let registration = try WebhookRegistration(webhook, by: policy)
        try await context.withDatabase(database) { connection in
            let account = try await connection.account(of: email)
            try await connection.transaction(telling: context.console, output) { transaction in
                let place = try registration.place(for: account, email, in: transaction)
                try registration.add(at: place, for: account, sealedBy: keys, in: transaction)
                return EndpointReport(
                    endpoint: place.endpoint, email: email.text, host: registration.target.host,
                    secret: registration.secret.text,
                    before: place.account.map { $0 == account ? .theirs : .anothers })
            }
        }
    }
}

struct EndpointReport: Report {
    enum Before: String, Encodable { case theirs, anothers }

    var endpoint: Endpoint.ID
    var email: String
    var host: String
    var secret: String
    /// The address's former owner; nil if it was not registered.
    var before: Before?

    var text: String {
        let beginning =
            switch before {
            case nil: "Added endpoint \(endpoint) (\(host)) for \(email)."
            case .theirs: "Endpoint \(endpoint) (\(host)) of \(email) was registered already and has a new secret."
            case .anothers:
                "Endpoint \(endpoint) (\(host)) was another person's until it was removed, and is \(email)'s now, with a new secret."
            }
        return """
            \(beginning)
            Secret for the receiver: \(secret)
            Note it now: it is not shown again. Try it: aqua endpoint test \(email)
            """
    }
}

extension Endpoint.ID: ExpressibleByArgument {}

extension ConfigurationReader {
    /// The policy of addresses: public hosts, and whatever `AQUA_PUSH_ALLOW` permits besides.
    func pushTargetPolicy() -> PushTargetPolicy {
        PushTargetPolicy(allowed: optional(.pushAllow, parse: PushAllowList.init) ?? PushAllowList())
    }
}

/// `aqua endpoint remove`
struct EndpointRemove: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes an endpoint out of use; what is on its way there is not sent any more.",
        discussion: """
            Afterwards anybody may register the address, and its owner may again.

            Example:  aqua endpoint remove 3
            """)

    @Argument(help: "The endpoint's number, as aqua endpoint add and test show it.")
    var endpoint: Endpoint.ID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            guard let removed = try await connection.execute(RemoveEndpoint(endpoint)).first else {
                throw OperatorError(
                    .notFound, "There is no endpoint \(endpoint) that is in use. aqua endpoint test shows a person's.")
            }
            return EndpointRemovalReport(
                endpoint: endpoint, email: removed.email,
                host: (try? PushTarget(removed.target))?.host ?? "unreadable address")
        }
        try context.console.show(report, output)
    }
}

struct EndpointRemovalReport: Report {
    var endpoint: Endpoint.ID
    var email: String
    var host: String

    var text: String { "Removed endpoint \(endpoint) (\(host)) of \(email)." }
}
