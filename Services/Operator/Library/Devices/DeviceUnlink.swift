import ArgumentParser
import People
import Postgres
import Secrets
import Store
import WaterQuality

/// `aqua device unlink`
struct DeviceUnlink: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlink",
        abstract: "Takes a device from a person.",
        discussion: """
            Open episodes close, and alerts on their way are cancelled. When the person is the owner, nobody watches the \
            device any longer, and it gets a new claim code, which is printed this once.

            Example:  aqua device unlink ada@example.org pond-1
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, keys) = try context.environment.databaseAndSecretKeys()
        let code = ClaimCode.generate()
        let stored = code.stored(under: keys.newest)
        try await context.withDatabase(database) { connection in
            let account = try await connection.account(of: email)
            try await connection.transaction(telling: context.console, output) { transaction in
                // The slot is locked before anything else, so that no decision for the old owner follows.
                try transaction.perform(LockSlot(Slot(of: device)))
                let owned = try transaction.ownership(of: device, email, account)
                let isDevice = try transaction.execute(FindDevice(device)).first?.kind != .known(.site)
                switch owned.role {
                case .owner:
                    _ = try transaction.execute(
                        UnlinkDevice(device: owned.device, account: account, claimCode: stored))
                    return UnlinkReport(
                        deviceId: device.text, email: email.text, wasOwner: true, claimCode: isDevice ? "\(code)" : nil)
                case .watcher:
                    _ = try transaction.execute(EndWatching(device: owned.device, account: account))
                    return UnlinkReport(deviceId: device.text, email: email.text)
                }
            }
        }
    }
}

struct UnlinkReport: Report {
    var deviceId: String
    var email: String
    var wasOwner = false
    /// The code for the next owner; `nil` when the person was a watcher, and of a site.
    var claimCode: String?

    private enum CodingKeys: CodingKey { case deviceId, email, claimCode }

    var text: String {
        guard let claimCode else {
            return wasOwner ? "Unlinked the site \(deviceId) from \(email)." : "\(email) no longer watches \(deviceId)."
        }
        return """
            Unlinked \(deviceId) from \(email).
            Claim code for the next owner: \(claimCode)
            Note it now: it is not shown again.
            """
    }
}
