import Crypto

/// The private key by which Apple knows the app's team (a .p8 file).
package struct APNsKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// - Parameter file: PKCS #8 in PEM, as Apple hands it out.
    /// - Returns: nil for anything else.
    package init?(file: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: file, as: UTF8.self)) else {
            return nil
        }
        self.key = key
    }

    /// An ES256 signature.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        try Array(key.signature(for: bytes).rawRepresentation)
    }
}
