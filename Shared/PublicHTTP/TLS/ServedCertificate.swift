package import Crypto
import NIOCore
package import NIOSSL

/// A certificate with its key, ready for handshakes.
package struct ServedCertificate: Sendable {
    package let context: NIOSSLContext
    package let validity: Validity
    /// The digest of the files' bytes.
    package let digest: SHA256Digest
}

extension TLSConfiguration {
    /// The TLS settings for browsers, programs and devices.
    ///
    /// TLS 1.2 with forward secrecy and authenticated encryption, or TLS 1.3; HTTP/1.1 only, because HTTP/2 is left to
    /// a proxy.
    static func serving(_ chain: [NIOSSLCertificate], _ key: NIOSSLPrivateKey) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = "ECDH+AESGCM:ECDH+CHACHA20:!aNULL"
        configuration.applicationProtocols = ["http/1.1"]
        // The time for a client to confirm the end of the connection.
        configuration.shutdownTimeout = .seconds(2)
        return configuration
    }
}
