import COpenSSL
package import Instants

/// The private authority of one fleet, and what it signs.
package struct CertificateAuthority: Sendable {
    /// Clocks of a broker and of whoever signs may be so far apart. What is signed therefore begins in the past.
    package static let clockDifference = Duration.seconds(3600)

    package let certificate: Certificate
    private let key: CertificateKey

    /// - Throws: `otherKey` where the key is another certificate's.
    package init(_ certificate: Certificate, key: CertificateKey) throws(CertificateError) {
        let mine = try certificate.open()
        defer { X509_free(mine) }
        let secret = try key.open()
        defer {
            EVP_PKEY_free(secret)
            ERR_clear_error()
        }
        guard X509_check_private_key(mine, secret) == 1 else {
            throw CertificateError(.otherKey, "is the key of another certificate")
        }
        self.certificate = certificate
        self.key = key
    }

    /// A new authority. It signs for clients alone, and no certificate in which any common name looks like a host's or that has a host's
    /// name besides: OpenSSL 1.1 and later, and so the broker, refuses those, whoever made them. The services' accounts are
    /// named so.
    package static func make(
        name: String, key: CertificateKey, until end: Timestamp, now: Timestamp
    ) throws(CertificateError) -> CertificateAuthority {
        let pem = try signed(
            name, serial: .random(), for: key, now - clockDifference..<end, by: nil, key,
            [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
                // NameConstraints with one excluded subtree: a dNSName that is empty, and so is every name's end.
                (NID_name_constraints, "critical,DER:3006A10430028200"),
            ])
        return try CertificateAuthority(Certificate(reading: pem), key: key)
    }

    /// A client's certificate, which ends with the authority at the latest.
    package func issue(
        to name: String, key client: CertificateKey, until end: Timestamp, now: Timestamp
    ) throws(CertificateError) -> Certificate {
        let end = min(end, certificate.validity.upperBound)
        let pem = try Self.signed(
            name, serial: .random(), for: client, now - Self.clockDifference..<max(end, now - Self.clockDifference),
            by: certificate, key,
            [
                (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "clientAuth"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid:always"),
            ])
        return try Certificate(reading: pem)
    }

    /// The next list. It ends with the authority, since an expired list shuts everybody out.
    /// - Parameter former: The list that it replaces.
    package func list(
        _ revoked: [CertificateSerial: Timestamp], after former: RevocationList?, now: Timestamp
    ) throws(CertificateError) -> RevocationList {
        let list = try made(X509_CRL_new())
        defer { X509_CRL_free(list) }
        let issuer = try certificate.open()
        defer { X509_free(issuer) }
        let secret = try key.open()
        defer { EVP_PKEY_free(secret) }
        // A former list that a wrong clock dated ahead dates no other: until then the broker would keep everybody out.
        let next = former.map { min($0.made + .seconds(1), now) } ?? .distantPast
        let begin = max(now - Self.clockDifference, next)
        try succeeded(X509_CRL_set_version(list, 1))
        try succeeded(X509_CRL_set_issuer_name(list, X509_get_subject_name(issuer)))
        try begin.withTime { (time) throws(CertificateError) in
            try succeeded(X509_CRL_set1_lastUpdate(list, time))
        }
        try certificate.validity.upperBound.withTime { (time) throws(CertificateError) in
            try succeeded(X509_CRL_set1_nextUpdate(list, time))
        }
        for (serial, time) in revoked.sorted(by: { $0.key < $1.key }) {
            let entry = try made(X509_REVOKED_new())
            defer { X509_REVOKED_free(entry) }
            try serial.withNumber { (number) throws(CertificateError) in
                try succeeded(X509_REVOKED_set_serialNumber(entry, number))
            }
            try time.withTime { (time) throws(CertificateError) in
                try succeeded(X509_REVOKED_set_revocationDate(entry, time))
            }
            try succeeded(X509_CRL_add0_revoked(list, made(X509_REVOKED_dup(entry))))
        }
        let number = try made(ASN1_INTEGER_new())
        defer { ASN1_INTEGER_free(number) }
        try succeeded(ASN1_INTEGER_set_int64(number, (former?.number ?? 0) + 1))
        try succeeded(X509_CRL_add1_ext_i2d(list, NID_crl_number, number, 0, 0))
        try Self.add(NID_authority_key_identifier, "keyid:always", issuer: issuer, subject: nil, list: list) {
            X509_CRL_add_ext(list, $0, -1)
        }
        try succeeded(X509_CRL_sort(list))
        try succeeded(X509_CRL_sign(list, secret, EVP_sha256()))
        return try RevocationList(reading: pemText { PEM_write_bio_X509_CRL($0, list) })
    }

    /// - Parameter issuer: nil for a certificate that signs itself.
    private static func signed(
        _ name: String, serial: CertificateSerial, for client: CertificateKey, _ validity: Range<Timestamp>,
        by issuer: Certificate?, _ key: CertificateKey, _ extensions: [(CInt, String)]
    ) throws(CertificateError) -> String {
        let certificate = try made(X509_new())
        defer { X509_free(certificate) }
        let owner = try client.open()
        defer { EVP_PKEY_free(owner) }
        let secret = try key.open()
        defer { EVP_PKEY_free(secret) }
        // X.509 version 3.
        try succeeded(X509_set_version(certificate, 2))
        try serial.withNumber { (number) throws(CertificateError) in
            try succeeded(X509_set_serialNumber(certificate, number))
        }
        try validity.lowerBound.withTime { (time) throws(CertificateError) in
            try succeeded(X509_set1_notBefore(certificate, time))
        }
        try validity.upperBound.withTime { (time) throws(CertificateError) in
            try succeeded(X509_set1_notAfter(certificate, time))
        }
        guard let subject = X509_get_subject_name(certificate),
            X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, name, -1, -1, 0) == 1
        else {
            ERR_clear_error()
            throw CertificateError(.invalid, "a common name has 1 to 64 characters")
        }
        try succeeded(X509_set_pubkey(certificate, owner))
        let authority = try issuer?.open()
        defer { X509_free(authority) }
        let signer = authority ?? certificate
        try succeeded(X509_set_issuer_name(certificate, X509_get_subject_name(signer)))
        for (kind, value) in extensions {
            try add(kind, value, issuer: signer, subject: certificate, list: nil) {
                X509_add_ext(certificate, $0, -1)
            }
        }
        try succeeded(X509_sign(certificate, secret, EVP_sha256()))
        return try pemText { PEM_write_bio_X509($0, certificate) }
    }

    private static func add(
        _ kind: CInt, _ value: String, issuer: OpaquePointer, subject: OpaquePointer?, list: OpaquePointer?,
        _ add: (OpaquePointer) -> CInt
    ) throws(CertificateError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, subject, nil, list, 0)
        let written = try made(X509V3_EXT_conf_nid(nil, &context, kind, value))
        defer { X509_EXTENSION_free(written) }
        try succeeded(add(written))
    }
}
