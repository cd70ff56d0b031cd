import ArgumentParser
import Logging
import ServiceKit

/// `aqua canary run`
struct CanaryRun: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Publishes the canary's readings until it is stopped.",
        discussion: """
            It connects as any device does, with the key that aqua canary prepare has written. Of the environment it reads AQUA_MQTT_URL, \
            the listener for devices, and AQUA_MQTT_CA_FILE. While the broker is away or refuses the key it logs so and tries again; the \
            alarms that do not come meanwhile are what AquaCanaryLate and the service outside notice.

            Example:  AQUA_MQTT_URL=mqtts://mqtt.example.org:8883 aqua canary run /etc/aquamonitor/canary
            """)

    @Argument(help: "The directory that aqua canary prepare wrote to.", completion: .directory)
    var directory: String

    func run(in context: OperatorContext) async throws {
        let logger = Logger(label: "aqua-canary") {
            JSONLogHandler(label: $0, level: .info, output: FileLogOutput.standardOutput, clock: context.clock)
        }
        let stop = await stopSignal()
        try await run(in: context, logger: logger, until: stop)
    }

    func run(in context: OperatorContext, logger: Logger, until stop: @escaping Stop) async throws {
        let publisher = CanaryPublisher(directory: directory, context: context, logger: logger)
        // What the environment lacks no other attempt brings.
        _ = try publisher.access(to: CanaryCredentials.read(from: directory))
        do {
            try await cancelling(when: stop) { try await publisher.run() }
        } catch is CancellationError {
            // The stop came, as it always does.
        }
    }
}
