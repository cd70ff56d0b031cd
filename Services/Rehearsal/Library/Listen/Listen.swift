import ArgumentParser
import HTTPTypes
import Operator

/// `aqua-rehearsal listen`
struct Listen: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Receives webhooks on this machine, verifies their signatures and prints them.",
        discussion: """
            The secret is the one that `aqua endpoint add` printed, in a file of mode 0600 that AQUA_WEBHOOK_SECRET_FILE or
            --secret-file names; several secrets stand on a line each. Webhooks that are not signed with one of them, or are
            older than five minutes, are answered 401 and printed as refused.

            Latencies are from the time of the reading, by the device's clock where it is fresh, and from its receipt.

            Example:  aqua-rehearsal listen --port 8099 --secret-file ./webhook-secret
                      aqua endpoint add ada@example.org --webhook http://127.0.0.1:8099/
            (The notifier and aqua need AQUA_PUSH_ALLOW=127.0.0.1/32:8099 for that address.)
            """)

    @Option(help: "The port on 127.0.0.1; 0 takes a free one.")
    var port = 8099

    @Option(
        help: ArgumentHelp("Where the secrets are (default: AQUA_WEBHOOK_SECRET_FILE).", valueName: "FILE"),
        completion: .file())
    var secretFile: String?

    @Option(
        help: ArgumentHelp("Answer genuine webhooks with this status, to see the notifier retry.", valueName: "STATUS"))
    var answer = 200

    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await run(in: context, until: await stopSignal())
    }

    func run(
        in context: OperatorContext, until stop: @escaping Stop,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) async throws {
        let receiver = WebhookReceiver(
            secrets: try WebhookSecrets(file: try secretPath(context)), answer: HTTPResponse.Status(code: answer),
            clock: context.clock
        ) { report in
            try context.console.showLine(report, output)
        }
        try await receiver.run(port: port, until: stop) { port in
            context.console.complain("Listening on http://127.0.0.1:\(port)/ for webhooks; Ctrl-C stops.")
            await onListening(port)
        }
    }

    private func secretPath(_ context: OperatorContext) throws -> String {
        let variable = context.environment.variables["AQUA_WEBHOOK_SECRET_FILE"] ?? ""
        guard let path = secretFile ?? (variable.isEmpty ? nil : variable) else {
            throw OperatorError(
                .invalidInput,
                "Which secret? Write the one that `aqua endpoint add` printed into a file of mode 0600 and name it with "
                    + "AQUA_WEBHOOK_SECRET_FILE or --secret-file.")
        }
        return path
    }

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
        guard (200...599).contains(answer) else { throw ValidationError("A status is a number from 200 to 599.") }
    }
}
