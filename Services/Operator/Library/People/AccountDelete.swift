import ArgumentParser
import People
import Postgres
import Secrets
import Store

/// `aqua account delete`
struct AccountDelete: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Closes an account and deletes everything of the person.",
        discussion: """
            Sessions, tokens and endpoints end at once. The devices become free, and their new claim codes are printed this once. \
            Readings that nobody else may see are erased by the Ingestor within minutes; backups keep them until they age out. \
            This cannot be undone, so the address is given twice.

            Example:  aqua account delete ada@example.org --confirm ada@example.org
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Option(help: "The same address again.", transform: EmailAddress.init(argument:))
    var confirm: EmailAddress
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard confirm == email else { throw ValidationError("The two addresses differ; nothing was deleted.") }
    }

    func run(in context: OperatorContext) async throws {
        let (database, keys) = try context.environment.databaseAndSecretKeys()
        try await context.withDatabase(database) { connection in
            let account = try await connection.account(of: email)
            try await connection.transaction(telling: context.console, output) { transaction in
                var devices: [DeletionReport.Device] = []
                for device in try transaction.execute(ListOwnedDevices(of: account)) {
                    let code = ClaimCode.generate()
                    let unlink = UnlinkDevice(
                        device: device.key, account: account, claimCode: code.stored(under: keys.newest))
                    if try transaction.execute(unlink) == [true] {
                        devices.append(.init(deviceId: device.hardwareID, claimCode: "\(code)"))
                    }
                }
                guard try transaction.execute(CloseAccount(account)) == [true] else {
                    throw OperatorError(.notFound, "The account of \(email) has just been closed.")
                }
                return DeletionReport(email: email.text, devices: devices)
            }
        }
    }
}

struct DeletionReport: Report {
    struct Device: Encodable, Sendable {
        var deviceId: String
        var claimCode: String
    }

    var email: String
    var devices: [Device]

    var text: String {
        (["Deleted \(email) and everything of theirs."]
            + devices.map { "Claim code of \($0.deviceId) for its next owner: \($0.claimCode)" }
            + (devices.isEmpty ? [] : ["Note it now: it is not shown again."])).joined(separator: "\n")
    }
}
