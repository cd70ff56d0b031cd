import FoundationEssentials
import Instants
import PublicHTTP
import PushTargets
import ServiceKit

/// The Gateway's addresses, TLS and proxies, as far as this tool is configured with them.
struct GatewaySettings: Equatable, Sendable {
    /// Where a Gateway listens for people.
    let address: HostAndPort?
    /// The address by which people reach the Gateway.
    let publicURL: String?
    /// Whether the Gateway itself serves TLS.
    let usesTLS: Bool
    /// Where a proxy in front of the Gateway serves TLS.
    let proxy: HostAndPort?
    /// Proxies that the Gateway trusts to say who is calling.
    let proxies: TrustedProxies?

    /// - Returns: nil where neither `address` nor `publicURL` is configured.
    init?(_ reader: ConfigurationReader) {
        address = reader.optional(.peopleListen, parse: HostAndPort.init)
        publicURL = reader.optional(.publicURL) { $0 }
        usesTLS = reader.optional(.peopleCertificateFile) { $0 } != nil
        proxy = reader.optional(.proxyAddress, parse: HostAndPort.init)
        proxies = reader.optional(.trustedProxies, parse: TrustedProxies.init)
        guard address != nil || publicURL != nil else { return nil }
    }
}

/// Checks whether a Gateway serves people, who may open an account there, and whether passwords travel encrypted.
struct GatewayChecks {
    let settings: GatewaySettings
    let clock: WallClock

    static let topic = "gateway"

    func run() async -> [Finding] {
        var findings: [Finding] = []
        if let address = settings.address {
            findings += await asked(address)
            if settings.usesTLS { findings += await certificate(address) }
        }
        if let publicURL = settings.publicURL { findings.append(Self.finding(of: publicURL)) }
        return findings
    }

    private struct Service: Decodable {
        let name: String
        let version: String
        let signUp: String
    }

    /// A silent Gateway is a notice, not a fault: the doctor may run before the services start.
    private func asked(_ address: HostAndPort) async -> [Finding] {
        let answer: String
        do {
            answer = try await HealthProbe.answer(at: address, path: "/api/v1/service", usesTLS: settings.usesTLS)
        } catch {
            return [
                .notice(
                    Self.topic, "\(error)",
                    mend: "Start aqua-gateway, unless it is meant to be stopped. When it runs, look at its log.")
            ]
        }
        guard let service = try? JSONDecoder().decode(Service.self, from: Data(answer.utf8)),
            service.name == "AquaMonitor"
        else {
            return [
                .wrong(
                    Self.topic, "what answers at \(address) is no Gateway",
                    mend: "Name in AQUA_PEOPLE_LISTEN where aqua-gateway listens.")
            ]
        }
        return [
            .ok(Self.topic, "version \(service.version) answers at \(address)"), Self.finding(signUp: service.signUp),
        ]
    }

    private static func finding(signUp: String) -> Finding {
        switch signUp {
        case "open":
            .notice(
                topic, "anybody who reaches it may open an account",
                mend: "If only people whom you know should: AQUA_SIGN_UP=invitation")
        case "closed": .ok(topic, "nobody may open an account: you add people by aqua account add")
        default: .ok(topic, "who has an invitation may open an account: aqua account invite")
        }
    }

    /// Checks the address that people use: a scheme and a host alone, and encrypted.
    static func finding(of publicURL: String) -> Finding {
        guard let host = host(of: publicURL) else {
            return .wrong(
                topic, "AQUA_PUBLIC_URL is \(publicURL), which is no address of a service",
                mend: "Write scheme and host alone, such as https://water.example.org, here and for the gateway.")
        }
        if publicURL.lowercased().hasPrefix("https://") {
            return .ok(topic, "people reach it at \(publicURL)")
        }
        guard ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
            return .wrong(
                topic, "people reach it at \(publicURL): whoever is in between reads passwords and readings",
                mend:
                    "Give it a certificate (AQUA_PEOPLE_CERTIFICATE_FILE), or put a proxy with one in front of it, such as that of the profile public."
            )
        }
        return .ok(topic, "it is reached from this machine alone, at \(publicURL)")
    }

    private func certificate(_ address: HostAndPort) async -> [Finding] {
        let reachable = HostAndPort(host: HealthProbe.reachableHost(address.host), port: address.port)
        do {
            return try await Self.certificate.run(
                reachable, name: settings.publicURL.flatMap(Self.host), now: clock.now(), refused: story)
        } catch {
            return [.skipped(Self.topic, "its TLS certificate could not be read: \(error)")]
        }
    }

    private func story(of fault: CertificateFault) -> Finding {
        switch fault {
        case .otherName:
            .wrong(
                Self.topic, "its TLS certificate is not for the host of AQUA_PUBLIC_URL, and browsers refuse it",
                mend: "Renew the certificate for that name too, or correct AQUA_PUBLIC_URL, here and for the gateway.")
        case .notTrusted:
            .notice(
                Self.topic, "this machine does not trust its TLS certificate",
                mend:
                    "Fine if an authority of your own signed it, which people's devices know. Else add to the file, after the certificate, those that lead to its authority."
            )
        }
    }

    /// Some authorities give certificates for a few days only.
    static let certificate = CertificateCheck(
        topic: topic, what: "its TLS certificate", renewal: .byHand(wrongBelow: 2, noticeBelow: 14),
        mend:
            "Renew the files that AQUA_PEOPLE_CERTIFICATE_FILE and AQUA_PEOPLE_KEY_FILE name; the gateway reads them within seconds. If they are renewed, look at its log."
    )

    /// - Returns: nil for anything but a scheme and an authority.
    static func host(of url: String) -> String? {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        var authority = lower.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        guard !authority.hasPrefix("[") else { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }
}
