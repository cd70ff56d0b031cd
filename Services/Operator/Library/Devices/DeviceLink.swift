import ArgumentParser
import People
import Postgres
import Secrets
import Store
import WaterQuality

/// `aqua device link`
struct DeviceLink: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Makes a person the owner of a device, by its claim code.",
        discussion: """
            The limits of all parameters begin with the manual's defaults, or with those of what lives in the water; see \
            aqua range set.

            Example:  aqua device link ada@example.org 7KQ2-M8XD-0R4T --name 'Garden pond' --preset goldfish_koi
            Presets:  \(Preset.allCases.map(\.rawValue).joined(separator: ", "))
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Argument(
        help: "The code that aqua device add or unlink printed; case and dashes do not matter.",
        transform: ClaimCode.init(argument:))
    var claimCode: ClaimCode
    @Option(help: "What the person calls the device.", transform: DeviceName.init(argument:))
    var name: DeviceName
    @Option(help: "What lives in the water, whose limits it begins with.", transform: Preset.init(argument:))
    var preset: Preset?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let (database, keys) = try context.environment.databaseAndSecretKeys()
        let hashes = claimCode.hashes(under: keys)
        try await context.withDatabase(database) { connection in
            let account = try await connection.account(of: email)
            let device: OwnedDevice
            do {
                device = try await connection.transaction { transaction in
                    try link(hashes, to: account, in: transaction)
                }
            } catch let error as PostgresError where error.code == .uniqueViolation {
                throw Self.isSomebodyElses  // another account linked it a moment earlier
            }
            try context.console.show(
                LinkReport(deviceId: device.hardwareID, email: email.text, name: name.text), output)
        }
    }

    private func link(
        _ hashes: [[UInt8]], to account: Account.ID, in transaction: borrowing PostgresTransaction
    ) throws -> OwnedDevice {
        guard let device = try transaction.execute(FindDeviceByClaimCode(hashes: hashes)).first else {
            throw OperatorError(
                .notFound,
                "No device has the claim code \(claimCode). Compare it with what aqua device add or unlink printed last."
            )
        }
        switch device.owner {
        case nil:
            try transaction.perform(
                LinkDevice(
                    device: device.key, account: account, name: name.text, defaults: .starting(with: preset)))
            return device
        case account:
            throw OperatorError(
                .conflict,
                "The device of this claim code, \(device.hardwareID), is linked to \(email) already, as \"\(device.name ?? "")\"."
            )
        default:
            throw Self.isSomebodyElses
        }
    }

    private static let isSomebodyElses = OperatorError(
        .conflict,
        "The device of this claim code is linked to another account. It must be unlinked there first, which prints a new claim code."
    )
}

struct LinkReport: Report {
    var deviceId: String
    var email: String
    var name: String

    var text: String { "Linked \(deviceId) to \(email) as \"\(name)\"." }
}
