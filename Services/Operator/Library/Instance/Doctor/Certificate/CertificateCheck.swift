import Instants
import ServiceKit

/// Checks the certificate that a TLS server presents: how long it is valid, and whether clients accept it.
struct CertificateCheck {
    let topic: String
    /// The certificate in a sentence, such as `its TLS certificate`.
    let what: String
    let renewal: Renewal
    /// The remedy for a certificate that ends soon, or has ended.
    let mend: String

    enum Renewal {
        /// Somebody renews it, who should know in time.
        /// - Parameters:
        ///   - wrongBelow: The days before its end from which it is a fault.
        ///   - noticeBelow: The days before its end from which it is worth knowing.
        case byHand(wrongBelow: Int, noticeBelow: Int)
        /// The server renews it, which is late once less than a fifth of its life is left.
        case byItself
    }

    /// - Parameters:
    ///   - name: The name by which clients reach the server; nil where it is not known.
    ///   - authorityFile: A PEM file of trusted authorities; nil for the system's.
    ///   - limit: The longest wait for each step of the server's.
    ///   - refused: The finding about a certificate that clients do not accept.
    /// - Throws: The reason for which the certificate could not be read.
    func run(
        _ address: HostAndPort, name: String?, authorityFile: String? = nil, now: Timestamp,
        within limit: Duration = .seconds(5), refused: (CertificateFault) -> Finding
    ) async throws(UnreadCertificate) -> [Finding] {
        let life = try await readCertificate(host: address.host, port: address.port, name: name, within: limit)
        var findings = [judge(life, now: now)]
        // Clients of a bare IP address check the certificate against that address, which may not be the one dialled here.
        if let name, !isAddress(name) || name == address.host,
            let fault = await judgeCertificate(
                host: address.host, port: address.port, name: name, authorityFile: authorityFile, within: limit)
        {
            findings.append(refused(fault))
        }
        return findings
    }

    func judge(_ life: Range<Timestamp>, now: Timestamp) -> Finding {
        let left = life.upperBound - now
        let span = Self.text(left)
        if left <= .zero { return .wrong(topic, "\(what) has expired", mend: mend) }
        switch renewal {
        case .byHand(let wrongBelow, _) where left < .seconds(wrongBelow * 86_400):
            return .wrong(topic, "\(what) expires in \(span)", mend: mend)
        case .byHand(_, let noticeBelow) where left < .seconds(noticeBelow * 86_400):
            return .notice(topic, "\(what) expires in \(span)", mend: mend)
        case .byItself where left < (life.upperBound - life.lowerBound) / 5:
            return .wrong(topic, "\(what) expires in \(span), and should have been renewed", mend: mend)
        default: return .ok(topic, "\(what) is valid for \(span)")
        }
    }

    private static func text(_ left: Duration) -> String {
        let hours = left.components.seconds / 3600
        return hours == 1 ? "1 hour" : hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
    }
}
