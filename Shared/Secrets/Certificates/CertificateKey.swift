import COpenSSL

/// A private key on the curve P-256, as PEM (PKCS #8).
package struct CertificateKey: Sendable, CustomStringConvertible, CustomReflectable {
    package let pem: String

    package static func generate() throws(CertificateError) -> CertificateKey {
        let key = try made(aqua_p256_key())
        defer { EVP_PKEY_free(key) }
        return CertificateKey(pem: try pemText { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) })
    }

    /// - Throws: `unreadable`.
    package init(reading pem: String) throws(CertificateError) {
        self.pem = pem
        EVP_PKEY_free(try open())
    }

    private init(pem: String) { self.pem = pem }

    /// The key in OpenSSL's form, which the caller frees.
    func open() throws(CertificateError) -> OpaquePointer {
        // The callback keeps the library from asking for a password at the terminal.
        try pemObject(pem, "private key without a password") {
            PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    package var description: String { "a private key" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
