import ArgumentParser
import Logging
import ServiceKit

/// `aqua enroller`
struct EnrollerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroller", abstract: "Makes the devices that people ask for in the app.",
        subcommands: [EnrollerRun.self])
}

/// `aqua enroller run`
struct EnrollerRun: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Makes devices and their keys as people ask for them, until it is stopped.",
        discussion: """
            Owners and administrators of projects ask in the app; with AQUA_ENROLMENT=people everybody does. It makes the account at the broker \
            and then the device, and seals key and claim code for the page that asked: nobody else reads them, neither the Gateway nor the \
            database. Without it the app makes no devices.

            It needs the database as aqua_enroller, which may do this and nothing else, the broker as aqua_admin, AQUA_DEVICE_KEY_FILE and \
            AQUA_SECRET_KEY_FILE; and AQUA_DEVICE_MQTT_URL or AQUA_MQTT_DOMAIN, which say where devices reach the broker. Of a database or a \
            broker that is away it logs so, and goes on when it is back.

            Example:  aqua enroller run
            """)

    func run(in context: OperatorContext) async throws {
        let logger = Logger(label: "aqua-enroller") {
            JSONLogHandler(label: $0, level: .info, output: FileLogOutput.standardOutput, clock: context.clock)
        }
        let stop = await stopSignal()
        try await run(in: context, logger: logger, until: stop)
    }

    func run(in context: OperatorContext, logger: Logger, until stop: @escaping Stop) async throws {
        // No other attempt brings what the environment lacks.
        let settings = try context.environment.require(EnrollerSettings.init)
        let enroller = Enroller(settings: settings, context: context, logger: logger)
        do {
            try await cancelling(when: stop) { try await enroller.run() }
        } catch is CancellationError {
            // The stop came, as it always does.
        }
    }
}
