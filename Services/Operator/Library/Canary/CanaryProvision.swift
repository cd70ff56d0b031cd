import People
import Postgres
import Secrets
import Store
import WaterQuality

/// The canary's account and device: those that there are, or those that will be.
struct CanaryProvision: Sendable {
    /// An address that no mail reaches and that nobody can own (RFC 2606).
    static let email: EmailAddress = {
        guard let email = EmailAddress("canary@aquamonitor.invalid") else { preconditionFailure("it is an address") }
        return email
    }()
    /// What messages call it.
    private static let name = "Canary"

    let id: Device.HardwareID
    /// The device's key.
    let password: String
    private let keyID: String
    private let claimCode: StoredClaimCode
    private let passwordHash: String
    private let known: FindCanary.Row?

    var isNew: Bool { known == nil }

    /// - Throws: `conflict` where the master key of the device is gone.
    static func find(
        _ connection: PostgresConnection, _ keys: DeviceKeys, _ secretKeys: SecretKeys
    ) async throws -> CanaryProvision {
        let known = try await connection.execute(FindCanary()).first
        let id = try Device.HardwareID(argument: known?.hardwareID ?? Self.freshID())
        let device = try await connection.execute(FindDevice(id)).first
        let password =
            if let device {
                keys.password(hardwareID: id.text, generation: device.keyGeneration, key: device.keyID)
            } else {
                Optional(keys.password(hardwareID: id.text, generation: 1))
            }
        guard let password else {
            throw OperatorError(
                .conflict,
                "The master key of \(id) is not in AQUA_DEVICE_KEY_FILE any more. Give it a new password: aqua device rotate-key \(id)"
            )
        }
        return CanaryProvision(
            id: id, password: password, keyID: "\(keys.newest)",
            // Nobody is told the code or the password: nobody links the device or signs in.
            claimCode: ClaimCode.generate().stored(under: secretKeys.newest),
            passwordHash: "\(try PasswordHash.create(WebhookSecret.generate().text))", known: known)
    }

    private static func freshID() -> String {
        "canary-" + String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    }

    /// Adds what is missing.
    /// - Returns: The canary's account.
    func add(every: Duration, in transaction: borrowing PostgresTransaction) throws -> Account.ID {
        if let known {
            try transaction.perform(PaceCanary(every: every))
            if !known.isLinked, let device = try transaction.execute(FindDevice(id)).first {
                try link(device, to: known.account, in: transaction)
            }
            return known.account
        }
        let account = try transaction.execute(
            AddAccount(email: Self.email.text, passwordHash: passwordHash, locale: "en", timeZone: "UTC")
        ).first
        let device = try transaction.execute(
            AddDevice(
                hardwareID: id, keyID: keyID, claimCode: claimCode, keyHash: DeviceKeyHash(of: password).bytes)
        ).first
        guard let account, let device else {
            throw OperatorError(.unanswered, "The database added no account or device. Run the command again.")
        }
        try link(device, to: account, in: transaction)
        try transaction.perform(MarkCanary(account: account, device: device, every: every))
        return account
    }

    private func link(
        _ device: OwnedDevice, to account: Account.ID, in transaction: borrowing PostgresTransaction
    ) throws {
        guard device.owner == nil else {
            throw OperatorError(
                .conflict, "The canary \(id) is linked to \(device.ownerEmail ?? "somebody"). Unlink it first.")
        }
        try link(device.key, to: account, in: transaction)
    }

    private func link(
        _ device: DeviceKey, to account: Account.ID, in transaction: borrowing PostgresTransaction
    ) throws {
        try transaction.perform(
            LinkDevice(device: device, account: account, name: Self.name, defaults: .ofManual))
    }
}
