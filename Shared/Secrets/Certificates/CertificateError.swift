/// Why a certificate, a key or a list could not be made or read.
package struct CertificateError: Error, CustomStringConvertible {
    package enum Code: Sendable {
        /// The text is no such object in PEM.
        case unreadable
        /// The key is not the one of the certificate.
        case otherKey
        /// The name, the time or the number of entries is outside what certificates can say.
        case invalid
        /// OpenSSL refused, which is a want of memory or of random numbers.
        case library
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
