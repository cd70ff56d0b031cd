import Secrets
import ServiceKit

extension ConfigurationReader {
    /// The master keys of the devices' passwords; nil after a fault.
    func deviceKeys() -> DeviceKeys? { keys(.deviceKeyFile, DeviceKeys.init) }

    /// The keys that protect stored secrets; nil after a fault.
    func secretKeys() -> SecretKeys? { keys(.secretKeyFile, SecretKeys.init) }

    private func keys<Keys: Sendable>(_ variable: Variable, _ make: @escaping @Sendable ([String]) -> Keys?) -> Keys? {
        renewableSecrets(
            variable, minimumLength: 32,
            remedy: "write 64 hexadecimal digits into it, such as from: openssl rand -hex 32", parse: make)?.current
    }
}

extension OperatorEnvironment {
    /// For the verbs that make or look up claim codes.
    func databaseAndSecretKeys() throws(ConfigurationFaults) -> (database: DatabaseSettings, keys: SecretKeys) {
        try require { reader in
            let database = reader.database()
            return reader.secretKeys().map { (database, $0) }
        }
    }
}
