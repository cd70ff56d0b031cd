import Secrets

extension FuzzTarget {
    /// Certificates, keys and lists of revoked certificates, as files of an authority and of devices have them.
    static let certificate = FuzzTarget(
        "certificate", seeds: [aCertificate, aList, "1F0A00000000000000000000000000FF"],
        words: [
            "-----BEGIN CERTIFICATE-----\n", "-----BEGIN X509 CRL-----\n", "-----BEGIN PRIVATE KEY-----\n", "MII",
            "AgEB", "==",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let certificate = try? Certificate(reading: text) {
            try promise(
                CertificateSerial("\(certificate.serial)") == certificate.serial,
                "the serial number \(certificate.serial)")
            try promise(certificate.validity.lowerBound <= certificate.validity.upperBound, "\(certificate.validity)")
        }
        if let list = try? RevocationList(reading: text) {
            for serial in list.revoked.keys {
                try promise(CertificateSerial("\(serial)") == serial, "the serial number \(serial)")
            }
        }
        if let serial = CertificateSerial(text) {
            try promise("\(serial)" == text.uppercased(), "\(text) reads back as \(serial)")
        }
        if let key = try? CertificateKey(reading: text) {
            try promise("\(key)" == "a private key", "a key describes itself")
        }
    }

    private static let aCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBdzCCAR2gAwIBAgIUCJbgZRpHop9xmI6/Ipf/5hSOlpIwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGdGFuay0xMB4XDTI2MTEzMDIzMDUzOFoXDTM2MTEyNzIzMDUz
        OFowETEPMA0GA1UEAwwGdGFuay0xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        r5AKCB81M+uuF5e9OSqDNIhnoOb2EIOzhEMm7N4ps63CKrGuuFOkl6Ua6C5syhbs
        fJ51ZISCzI2slYgZ6ixrY6NTMFEwHQYDVR0OBBYEFNG46nwg0biPuWK18W8NbDXz
        +UeoMB8GA1UdIwQYMBaAFNG46nwg0biPuWK18W8NbDXz+UeoMA8GA1UdEwEB/wQF
        MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgXw4ZKwlD4CEhnUvMTzuumBeAIdy/rK8Y
        QdGjUKh9tYUCIQCxhI23D/l6AjqGfHTOy9DBLRWZ3x/ZydUzIF07MlOkZg==
        -----END CERTIFICATE-----

        """

    private static let aList = """
        -----BEGIN X509 CRL-----
        MIHAMGcCAQEwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGdGFuay0xFw0yNjExMzAy
        MzA1MzhaFw0zNjExMjcyMzA1MzhaMBUwEwICHwoXDTI2MTEwMTAwMDAwMFqgDjAM
        MAoGA1UdFAQDAgEBMAoGCCqGSM49BAMCA0kAMEYCIQDeQQ8a2TEFHYWTvBbBiyn6
        jDxL8lFqwmFZwgl6i6FAoQIhAML25LuuKdR5dYRmMidGTclSt14mI4fnPdL/z8iv
        h3JH
        -----END X509 CRL-----

        """
}
