package import Crypto
import Instants
import NIOSSL
package import ServiceKit

/// The variables that name a certificate and its key, and the audience that checks it.
package struct CertificateVariables: Hashable, Sendable {
    package let chain: Variable
    package let key: Variable
    /// The log's word for those who check the certificate: `people`.
    package let audience: String

    package init(chain: Variable, key: Variable, audience: String) {
        self.chain = chain
        self.key = key
        self.audience = audience
    }
}

/// The files of the certificate that clients are shown, and of its key.
package struct CertificateFiles: Hashable, Sendable {
    private let chain: NamedFile
    private let key: NamedFile
    let audience: String

    package init(_ variables: CertificateVariables, chain: String, key: String) {
        self.chain = NamedFile(variables.chain, path: chain, isSecret: false)
        self.key = NamedFile(variables.key, path: key, isSecret: true)
        audience = variables.audience
    }

    /// Reads both files.
    /// - Parameter known: The digest of the certificate in use.
    /// - Returns: nil if the files still hold it.
    package func read(unless known: SHA256Digest? = nil) throws(NamedFile.Fault) -> ServedCertificate? {
        let bytes = (chain: try chain.read(), key: try key.read())
        let digest = SHA256.hash(data: bytes.chain + [0] + bytes.key)
        if digest == known { return nil }
        let certificates = try certificates(bytes.chain)
        let context = try context(certificates, try privateKey(bytes.key))
        return ServedCertificate(context: context, validity: certificates[0].validity, digest: digest)
    }

    private func certificates(_ bytes: [UInt8]) throws(NamedFile.Fault) -> [NIOSSLCertificate] {
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw chain.fault("holds no certificate in PEM form", remedy: "set it to \(chain.variable.expectation)")
        }
        return certificates
    }

    private func privateKey(_ bytes: [UInt8]) throws(NamedFile.Fault) -> NIOSSLPrivateKey {
        guard let privateKey = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) else {
            throw key.fault("holds no private key in PEM form", remedy: "set it to \(key.variable.expectation)")
        }
        return privateKey
    }

    private func context(
        _ certificates: [NIOSSLCertificate], _ privateKey: NIOSSLPrivateKey
    ) throws(NamedFile.Fault) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: .serving(certificates, privateKey))
        } catch {
            throw key.fault(
                "does not fit the first certificate of \(chain.variable.rawValue)",
                remedy: "name the key and the certificate that were made together, this service's own certificate first"
            )
        }
    }
}

extension NIOSSLCertificate {
    fileprivate var validity: Validity {
        Validity(
            begin: Timestamp(unixSeconds: Int64(notValidBefore)), end: Timestamp(unixSeconds: Int64(notValidAfter)))
    }
}
