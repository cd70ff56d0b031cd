import COpenSSL
package import Instants

/// A certificate of X.509 (RFC 5280).
package struct Certificate: Hashable, Sendable {
    package let pem: String
    package let serial: CertificateSerial
    /// The first common name of the subject, by which Mosquitto calls the client.
    package let name: String
    /// From the first to the last second at which it is valid.
    package let validity: Range<Timestamp>

    /// - Throws: `unreadable`.
    package init(reading pem: String) throws(CertificateError) {
        let certificate = try Self.open(pem)
        defer { X509_free(certificate) }
        self.pem = pem
        serial = try CertificateSerial(X509_get0_serialNumber(certificate))
        name = try Self.name(of: certificate)
        let begin = try Timestamp(X509_get0_notBefore(certificate))
        validity = begin..<max(begin, try Timestamp(X509_get0_notAfter(certificate)))
    }

    /// The certificate in OpenSSL's form, which the caller frees.
    func open() throws(CertificateError) -> OpaquePointer { try Self.open(pem) }

    private static func open(_ pem: String) throws(CertificateError) -> OpaquePointer {
        try pemObject(pem, "certificate") { PEM_read_bio_X509($0, nil, nil, nil) }
    }

    private static func name(of certificate: OpaquePointer) throws(CertificateError) -> String {
        let subject = X509_get_subject_name(certificate)
        let first = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard first >= 0, let text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, first)) else {
            throw CertificateError(.unreadable, "names nobody")
        }
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the authority signed it, whatever the time is.
    package func isSigned(by authority: Certificate) throws(CertificateError) -> Bool {
        let mine = try open()
        defer { X509_free(mine) }
        let theirs = try authority.open()
        defer {
            X509_free(theirs)
            ERR_clear_error()
        }
        return X509_verify(mine, X509_get0_pubkey(theirs)) == 1
    }
}
