import BrokerControl
import MQTT

extension DynamicSecurity {
    /// Limit of accounts that a running broker writes, beyond which it would do little else for minutes: a thousand accounts at an empty
    /// one, or a hundred at one with ten thousand.
    static let mostWrites = 1_000_000

    /// Makes the account of a device that is about to be added.
    func makeClient(_ user: String, password: String) async throws {
        guard try await !ensureClient(user, password: password) else { return }
        // An account is left over from an attempt that ended half-way; its password and roles are unknown.
        try await deleteClient(user)
        try await createClient(user, password: password)
    }

    /// Makes the accounts of devices that are about to be added, a few in one request: the plugin saves all accounts after each. What is left
    /// over from an attempt that ended half-way is replaced.
    /// - Returns: The users of accounts that are no devices', which stay as they are.
    func makeDevices(_ devices: [(user: String, password: String)]) async throws -> Set<String> {
        let commands = devices.map {
            Command.createClient($0.user, password: $0.password, roles: [Self.deviceRole])
        }
        let responses = try await send(commands, atMost: 10)
        var foreign: Set<String> = []
        for (device, response) in zip(devices, responses) {
            switch response.error {
            case nil: break
            case let error? where error.code == .controlRefused(.alreadyExists):
                guard try await client(device.user)?.roleNames ?? [Self.deviceRole] == [Self.deviceRole] else {
                    foreign.insert(device.user)
                    continue
                }
                try await makeClient(device.user, password: device.password)
            case let error?: throw error
            }
        }
        return foreign
    }

    /// Gives a device another password, and an account where it has lost its own.
    func renewPassword(_ password: String, of device: String) async throws {
        guard try await !ensureClient(device, password: password) else { return }
        try await setDevicePassword(password, of: device)
    }
}
