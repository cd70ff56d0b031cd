import Crypto
import Instants
import NIOSSL
import ServiceKit

/// Where the operator keeps the certificate by which people know this service, and its key
/// (`AQUA_PEOPLE_CERTIFICATE_FILE`, `AQUA_PEOPLE_KEY_FILE`).
struct CertificateFiles: Hashable, Sendable {
    private let chain: NamedFile
    private let key: NamedFile

    init(chain: String, key: String) {
        self.chain = NamedFile(.peopleCertificateFile, path: chain, isSecret: false)
        self.key = NamedFile(.peopleKeyFile, path: key, isSecret: true)
    }

    /// Reads both.
    /// - Parameter known: The digest of what is in use.
    /// - Returns: nil if the files still hold that.
    func read(unless known: SHA256Digest? = nil) throws(NamedFile.Fault) -> ServedCertificate? {
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
