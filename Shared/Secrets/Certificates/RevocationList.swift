import COpenSSL
package import Instants

/// A list of revoked certificates (RFC 5280, section 5), signed by their authority.
package struct RevocationList: Hashable, Sendable {
    package let pem: String
    /// Grows with each list.
    package let number: Int64
    /// Grows with each list as well, as far as clocks allow: of two lists that OpenSSL knows, the later one counts. Before this time the list
    /// counts for nothing, and the broker refuses everybody.
    package let made: Timestamp
    /// The list's own end, after which a broker that has no other refuses everybody.
    package let end: Timestamp
    /// When each certificate was revoked.
    package let revoked: [CertificateSerial: Timestamp]

    /// - Throws: `unreadable`.
    package init(reading pem: String) throws(CertificateError) {
        let list = try Self.open(pem)
        defer { X509_CRL_free(list) }
        self.pem = pem
        number = try Self.number(of: list)
        made = try Timestamp(X509_CRL_get0_lastUpdate(list))
        end = try Timestamp(X509_CRL_get0_nextUpdate(list))
        var revoked: [CertificateSerial: Timestamp] = [:]
        for index in 0..<aqua_revoked_count(list) {
            let entry = aqua_revoked_entry(list, index)
            let serial = try CertificateSerial(X509_REVOKED_get0_serialNumber(entry))
            revoked[serial] = try Timestamp(X509_REVOKED_get0_revocationDate(entry))
        }
        self.revoked = revoked
    }

    private static func open(_ pem: String) throws(CertificateError) -> OpaquePointer {
        try pemObject(pem, "list of revoked certificates") { PEM_read_bio_X509_CRL($0, nil, nil, nil) }
    }

    private static func number(of list: OpaquePointer) throws(CertificateError) -> Int64 {
        let found = X509_CRL_get_ext_d2i(list, NID_crl_number, nil, nil)
        guard let number = found?.assumingMemoryBound(to: ASN1_INTEGER.self) else {
            throw CertificateError(.unreadable, "has no number")
        }
        defer { ASN1_INTEGER_free(number) }
        var value: Int64 = 0
        guard ASN1_INTEGER_get_int64(&value, number) == 1 else {
            throw CertificateError(.unreadable, "has a number that is none")
        }
        return value
    }

    /// Whether the authority signed it, whatever the time is.
    package func isSigned(by authority: Certificate) throws(CertificateError) -> Bool {
        let list = try Self.open(pem)
        defer { X509_CRL_free(list) }
        let theirs = try authority.open()
        defer {
            X509_free(theirs)
            ERR_clear_error()
        }
        return X509_CRL_verify(list, X509_get0_pubkey(theirs)) == 1
    }
}
