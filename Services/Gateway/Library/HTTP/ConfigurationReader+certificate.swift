import PublicHTTP
import ServiceKit

extension CertificateVariables {
    static let people = CertificateVariables(
        chain: .peopleCertificateFile, key: .peopleKeyFile, audience: "people")
}

extension ConfigurationReader {
    /// `AQUA_PEOPLE_CERTIFICATE_FILE` and `AQUA_PEOPLE_KEY_FILE`, both or neither.
    /// - Returns: nil where a proxy serves TLS or nothing does, and after a fault.
    func peopleCertificate() -> RenewableCertificate? {
        if optionalString(.peopleCertificateFile) != nil, optionalString(.peopleKeyFile) != nil {
            requireSecureOrigin()
        }
        return certificate(.people)
    }

    /// Requires https in the public address: cookies and links are made for it, and would not work for http where only
    /// https is served.
    private func requireSecureOrigin() {
        guard let origin = optionalString(.publicURL).flatMap(PublicOrigin.init), !origin.isSecure else { return }
        fault(
            .publicURL, "is \(origin.text) while \(Variable.peopleCertificateFile.rawValue) is set",
            remedy: "begin it with https://, or remove the certificate")
    }
}
