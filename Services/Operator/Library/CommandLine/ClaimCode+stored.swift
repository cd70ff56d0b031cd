import People
import Secrets
import Store

extension ClaimCode {
    /// The form in which the database stores the code.
    func stored(under key: SecretKey) -> StoredClaimCode {
        StoredClaimCode(hash: hash(under: key), keyID: "\(key.id)")
    }
}
