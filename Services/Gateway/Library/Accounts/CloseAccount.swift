import HTTPTypes
import People
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

extension AccountRoutes {
    private static let password = Input<String?>.optionalField(
        "password", .password, "The password, once more; missing for whoever has none and has just proven who they are."
    )

    private struct FreeDevice: Sendable {
        let hardwareID: String
        let claimCode: ClaimCode
    }

    private static let freed = Output<FreeDevice>.object(
        "FreeDevice", "A device that belongs to nobody any more.",
        [
            .member("device", .text, "The id of the device.", example: "pond-1") { $0.hardwareID },
            .member("claimCode", .text, "The code for its next owner, shown this once.", example: "7KQ2-M8XD-0R4T") {
                "\($0.claimCode)"
            },
        ])

    static let closeAccount = Route<Caller>(
        .post, "/account/close", id: "closeAccount", tag: tag, access: .session, "Close the account",
        text: """
            Ends sessions, personal tokens and endpoints at once and deletes everything of the person; readings that nobody else \
            may see are erased within minutes. This cannot be undone: export first what is worth keeping. Devices that you \
            own become free, and nobody watches them any longer.
            """,
        inputs: [password],
        answers: .json(
            .ok,
            .object(
                "ClosedAccount", "What became of the devices.",
                [.member("devices", .list(of: freed), "Those that you owned.") { (devices: [FreeDevice]) in devices }])),
        problems: [.wrongPassword, .passwordsOff, .passwordNeeded, .tooManyRequests, .unavailable], limit: .credentials
    ) { caller, inputs in
        _ = try await caller.confirm(inputs[password])
        let key = caller.scope.services.secretKeys.renewed().newest
        return try await caller.scope.transaction { transaction, account in
            var devices: [FreeDevice] = []
            for device in try transaction.execute(ListOwnedDevices(of: account)) {
                let code = ClaimCode.generate()
                let stored = StoredClaimCode(hash: code.hash(under: key), keyID: "\(key.id)")
                let unlink = UnlinkDevice(device: device.key, account: account, claimCode: stored)
                if try transaction.execute(unlink) == [true] {
                    devices.append(FreeDevice(hardwareID: device.hardwareID, claimCode: code))
                }
            }
            guard try transaction.execute(CloseAccount(account)) == [true] else { throw Problem.invalidToken }
            return .value(devices)
        }
    }
}
