import ArgumentParser
import FoundationEssentials
import Instants
import Operator
import Secrets
import ServiceKit
import Synchronization
import WaterQuality

/// `aqua-rehearsal demo`
struct Demo: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the whole way of a reading: a simulated probe whose water gets too warm, and its alerts.",
        discussion: """
            Adds a person, a device that is theirs and an endpoint that leads back to this command, as far as they are missing; \
            then it publishes readings, receives the alerts, verifies their signatures and prints each with its latency. \
            Everything that it does, verbs of aqua and the other ones of this tool do as well.

            The notifier and this tool need AQUA_PUSH_ALLOW for the address that alerts are received on.

            The person's password is generated; --password-file FILE keeps it, so that the person can sign in.

            --recorded FILE gives the tank a past: three days of recorded water, the last of it a few minutes ago. Temperature, pH \
            and dissolved oxygen are the recording's; what it does not have is simulated, as it is from then on. A device \
            that has measured within three days keeps its own past.

            In two steps it runs without any secret of the operator's: --prepare DIRECTORY adds what is missing and writes the \
            device's password, the endpoint's secret and, as the file password, the person's password there; --prepared DIRECTORY goes on \
            from it, with AQUA_MQTT_URL and AQUA_MQTT_CA_FILE alone.

            Example:  AQUA_PUSH_ALLOW=127.0.0.1/32:8099 aqua-rehearsal demo
            """)

    @Option(help: "The address that alerts are received on.")
    var host = "127.0.0.1"
    @Option(help: "Its port.")
    var port = 8099
    @Option(help: "The person.")
    var email = "demo@aquamonitor.example"
    @Option(help: "The device's id.")
    var device = "demo-tank"
    @Option(
        help: ArgumentHelp(
            "Add what is missing, write what the demonstration needs here, and end.", valueName: "DIRECTORY"))
    var prepare: String?
    @Option(help: ArgumentHelp("Go on from what --prepare wrote here.", valueName: "DIRECTORY"))
    var prepared: String?
    @Option(help: ArgumentHelp("Keep the person's password here.", valueName: "FILE"))
    var passwordFile: String?
    @Option(help: ArgumentHelp("Begin with recorded water.", valueName: "FILE"), completion: .file())
    var recorded: String?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        try await run(in: context, until: await stopSignal())
    }

    func run(in context: OperatorContext, until stop: @escaping Stop) async throws {
        let credentials: DemoCredentials
        if let prepared {
            credentials = try DemoCredentials(directory: prepared)
        } else {
            credentials = try await addMissing(in: context)
            if let prepare { return try credentials.write(to: prepare) }
        }
        let receiver = WebhookReceiver(
            secrets: WebhookSecrets([credentials.webhookSecret]), clock: context.clock
        ) { report in
            var report = report
            if recorded != nil { report.ofOldReading = "(recorded water)" }
            try context.console.showLine(report, output)
        }
        let access = try context.environment.read {
            DeviceAccess(reader: $0, device: hardwareID, password: credentials.devicePassword)
        }
        let (listening, isListening) = AsyncStream.makeStream(of: Void.self)
        let failure = Failure()
        // The receiver outlives the simulation, for alerts that are on their way.
        try await receiver.run(
            host: host, port: port,
            until: {
                for await _ in listening {}
                do {
                    try await cancelling(when: stop) {
                        try await live(after: try await past(credentials, access, in: context), access, in: context)
                    }
                } catch is CancellationError {
                    // The stop came while the recorded water was published.
                } catch {
                    failure.error.withLock { $0 = error }
                }
            }, onListening: { _ in isListening.finish() })
        if let error = failure.error.withLock({ $0 }) { throw error }
    }

    /// Publishes the recorded water, if there is any.
    /// - Returns: The last reading published.
    private func past(
        _ credentials: DemoCredentials, _ access: DeviceAccess, in context: OperatorContext
    ) async throws -> RecordedWater.Measured? {
        guard let recorded else { return nil }
        guard let until = credentials.recordedUntil else {
            try context.console.showLine(DemoPast(readings: 0), output)
            return nil
        }
        let measured = try await RecordedWater(path: recorded, until: until).publish(as: hardwareID, access)
        // The database can be asked only with the operator's secrets; without them the demonstration goes on at once.
        if prepared == nil, let last = measured.last {
            try await context.awaitDecided(hardwareID, upTo: last.time)
        }
        try context.console.showLine(DemoPast(readings: measured.count), output)
        return measured.last
    }

    /// Simulates the probe until its task is cancelled.
    private func live(
        after last: RecordedWater.Measured?, _ access: DeviceAccess, in context: OperatorContext
    ) async throws {
        let simulation = try Simulate.parse(["--device", device, "--interval", "2s", "--breach", "temperature"])
        let (never, hold) = AsyncStream.makeStream(of: Void.self)
        defer { hold.finish() }
        try await simulation.run(
            in: context.recording { _ in }, access: access,
            after: last.map { (values: $0.values, age: context.clock.now() - $0.time) },
            until: { for await _ in never {} })
    }

    private func addMissing(in context: OperatorContext) async throws -> DemoCredentials {
        try await DemoSignIn(
            email: email, file: passwordFile ?? prepare.map { "\($0)/password" }
        ).add(in: context)
        try await addDevice(in: context)
        let secret = try await addEndpoint(in: context)
        let access = try await DeviceAccess.of([hardwareID], in: context)
        return DemoCredentials(
            devicePassword: access.password(of: hardwareID), webhookSecret: secret,
            recordedUntil: recorded == nil ? nil : try await context.endOfRecordedWater(of: hardwareID))
    }

    private func addDevice(in context: OperatorContext) async throws {
        do {
            let added: AddedDevice = try await context.reading(["device", "add", device, "--new-claim-code", "--json"])
            try await Aqua.perform(
                ["device", "link", email, added.claimCode, "--name", "Demo tank"], in: context.recording { _ in })
        } catch let error as OperatorError where error.code == .conflict {
            // The device is linked already.
        }
    }

    private func addEndpoint(in context: OperatorContext) async throws -> WebhookSecret {
        let address = "http://\(HostAndPort(host: host, port: port))/"
        let added: AddedEndpoint = try await context.reading(
            ["endpoint", "add", email, "--webhook", address, "--json"])
        guard let secret = WebhookSecret(added.secret) else {
            throw OperatorError(.unanswered, "The endpoint got no secret. Run the command again.")
        }
        return secret
    }

    private struct AddedDevice: Decodable { let claimCode: String }
    private struct AddedEndpoint: Decodable { let secret: String }

    /// The device's id, which `validate` has checked.
    private var hardwareID: Device.HardwareID {
        guard let id = Device.HardwareID(device) else { preconditionFailure("validate lets no other device pass") }
        return id
    }

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("A port is a number from 1 to 65535.") }
        guard Device.HardwareID(device) != nil else { throw ValidationError("\(device) is no id of a device.") }
        guard prepare == nil || prepared == nil else {
            throw ValidationError("--prepare and --prepared are two steps: choose one.")
        }
    }
}

/// The number of past readings that the demonstration published.
struct DemoPast: Report {
    var readings: Int

    var text: String {
        readings == 0
            ? "Recorded water: none, the tank has readings of the last three days."
            : "Recorded water: \(readings) readings of the last three days are in the tank."
    }
}

/// The error that ended the simulation, if one did.
private final class Failure: Sendable {
    let error = Mutex<(any Error)?>(nil)
}

extension OperatorContext {
    /// The same context for a verb that another one runs: its output goes to `take`.
    func recording(password: String? = nil, _ take: @escaping @Sendable (String) -> Void) -> OperatorContext {
        let console = Console(
            output: { take($0) }, complaints: { [console] in console.complain(String($0.dropLast())) },
            passwords: { _ in password })
        return OperatorContext(
            environment: environment.variables, console: console, clock: clock, patience: patience)
    }

    /// Runs a command line of `aqua` that prints JSON, and decodes its output.
    func reading<Object: Decodable>(_ arguments: [String]) async throws -> Object {
        let printed = Recorded()
        try await Aqua.perform(arguments, in: recording { text in printed.text.withLock { $0 += text } })
        return try JSONDecoder().decode(Object.self, from: Data(printed.text.withLock { $0 }.utf8))
    }
}

private final class Recorded: Sendable {
    let text = Mutex("")
}
