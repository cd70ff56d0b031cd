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

extension PostgresConnection {
    /// The device with this id, which sends readings.
    /// - Throws: `notFound` with what to do; `conflict` for a site, which has neither a key nor probes.
    func sender(_ id: Device.HardwareID) async throws -> OwnedDevice {
        guard let found = try await execute(FindDevice(id)).first else {
            throw OperatorError(.notFound, "There is no device \(id). Correct the id; aqua device list shows all.")
        }
        return try found.asSender()
    }
}

extension OwnedDevice {
    /// - Throws: `conflict` for a site.
    func asSender() throws(OperatorError) -> OwnedDevice {
        guard kind != .known(.site) else {
            throw OperatorError(
                .conflict,
                "\(hardwareID) is a site, a place without a device: it has no key, no probes and no claim code.")
        }
        return self
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
