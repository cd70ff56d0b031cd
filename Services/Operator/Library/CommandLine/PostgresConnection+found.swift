import People
import Postgres
import Store
import WaterQuality

extension PostgresConnection {
    /// The account with this e-mail address.
    /// - Throws: `notFound` with what to do.
    func account(of email: EmailAddress) async throws -> Account.ID {
        guard let row = try await execute(FindAccount(email: email.text)).first else {
            throw OperatorError(
                .notFound, "There is no account of \(email). Correct the address, or add it: aqua account add \(email)")
        }
        return row.account
    }
}

extension PostgresTransaction {
    /// Locks the person's ownership of the device until the end of the transaction.
    /// - Throws: `notFound` with what to do.
    func ownership(
        of device: Device.HardwareID, _ email: EmailAddress, _ account: Account.ID
    ) throws -> LockOwnership.Row {
        if let owned = try execute(LockOwnership(device, of: account)).first { return owned }
        throw try execute(FindDevice(device)).isEmpty
            ? OperatorError(.notFound, "There is no device \(device). Correct the id; aqua device list shows all.")
            : OperatorError(
                .notFound, "Device \(device) is not linked to \(email). aqua device list shows who owns it.")
    }
}
