import ServiceKit

extension ConfigurationReader {
    /// `AQUA_PEOPLE_CERTIFICATE_FILE` and `AQUA_PEOPLE_KEY_FILE`, both or neither.
    /// - Returns: nil where a proxy serves TLS, or nobody; and with a fault recorded.
    func certificate() -> RenewableCertificate? {
        switch (optionalString(.peopleCertificateFile), optionalString(.peopleKeyFile)) {
        case (nil, nil): return nil
        case (_?, nil):
            fault(.peopleKeyFile, "is not set while \(Variable.peopleCertificateFile.rawValue) is")
            return nil
        case (nil, _?):
            fault(.peopleCertificateFile, "is not set while \(Variable.peopleKeyFile.rawValue) is")
            return nil
        case (let chain?, let key?):
            requireSecureOrigin()
            return read(CertificateFiles(chain: chain, key: key))
        }
    }

    private func read(_ files: CertificateFiles) -> RenewableCertificate? {
        do {
            return try files.read().map { RenewableCertificate(files, $0) }
        } catch {
            fault(error)
            return nil
        }
    }

    /// Cookies and links are made for the public address: for http they would not work where only https is served.
    private func requireSecureOrigin() {
        guard let origin = optionalString(.publicURL).flatMap(PublicOrigin.init), !origin.isSecure else { return }
        fault(
            .publicURL, "is \(origin.text) while \(Variable.peopleCertificateFile.rawValue) is set",
            remedy: "begin it with https://, or remove the certificate")
    }
}
