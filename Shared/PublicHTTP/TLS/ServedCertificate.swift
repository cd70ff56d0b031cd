package import Crypto
import NIOCore
package import NIOSSL

/// A certificate with its key, ready for handshakes.
package struct ServedCertificate: Sendable {
    package let context: NIOSSLContext
    package let validity: Validity
    /// Of the files' bytes.
    package let digest: SHA256Digest
}

extension TLSConfiguration {
    /// What browsers, programs and devices agree on with this service.
    ///
    /// TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3; HTTP/1.1 alone, since HTTP/2 is a
    /// proxy's affair.
    static func serving(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = "ECDH+AESGCM:ECDH+CHACHA20:!aNULL"
        configuration.applicationProtocols = ["http/1.1"]
        // For a client to say that it has read the end as well.
        configuration.shutdownTimeout = .seconds(2)
        return configuration
    }
}
