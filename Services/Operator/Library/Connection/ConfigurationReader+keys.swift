import Secrets
import ServiceKit

extension ConfigurationReader {
    /// The master key of the devices' passwords; nil after a fault.
    func deviceKeys() -> DeviceKeys? { key(.deviceKeyFile, DeviceKeys.init) }

    /// The key that protects stored secrets; nil after a fault.
    func secretKey() -> SecretKey? { key(.secretKeyFile, SecretKey.init) }

    private func key<Key>(_ variable: Variable, _ make: (String) -> Key?) -> Key? {
        let secret = secret(variable, minimumLength: 32)
        guard !secret.revealed.isEmpty else { return nil }
        guard let key = make(secret.revealed) else {
            fault(
                variable, "names a file that holds no key of 32 bytes",
                remedy: "write 64 hexadecimal digits into it, such as from: openssl rand -hex 32")
            return nil
        }
        return key
    }
}

extension OperatorEnvironment {
    /// For the verbs that make or look up claim codes.
    func databaseAndSecretKey() throws(ConfigurationFaults) -> (database: DatabaseSettings, key: SecretKey) {
        try require { reader in
            let database = reader.database()
            return reader.secretKey().map { (database, $0) }
        }
    }
}
