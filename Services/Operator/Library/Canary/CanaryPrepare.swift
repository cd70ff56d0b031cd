import ArgumentParser
import Postgres
import Store
import WaterQuality

/// `aqua canary prepare`
struct CanaryPrepare: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare",
        abstract: "Writes what aqua canary run needs: the canary's key and interval.",
        discussion: """
            The canary's publisher then runs without any secret of the operator's. Run again after aqua canary create with another interval \
            and after aqua device rotate-key; a publisher that runs reads the file anew.

            Example:  aqua canary prepare /etc/aquamonitor/canary
            """)

    @Argument(help: "The directory for the file canary.json.", completion: .directory)
    var directory: String

    func run(in context: OperatorContext) async throws {
        let canary = try await context.withDatabase { connection in
            guard let canary = try await connection.execute(FindCanary()).first else {
                throw OperatorError(
                    .notFound, "There is no canary yet. Set it up: aqua canary create --webhook URL")
            }
            return canary
        }
        let device = try Device.HardwareID(argument: canary.hardwareID)
        let access = try await DeviceAccess.of([device], in: context)
        try CanaryCredentials(
            device: canary.hardwareID, everySeconds: Int(canary.every / .seconds(1)),
            password: access.password(of: device)
        ).write(to: directory)
        context.console.complain("Run now: aqua canary run \(directory)")
    }
}
