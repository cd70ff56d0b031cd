import Instants
import PublicHTTP
import PushTargets
import ServiceKit

/// Checks the proxy in front of a Gateway: what it presents to people, and how many others are taken for it.
struct ProxyChecks {
    let settings: GatewaySettings
    let clock: WallClock
    var patience: Duration = .seconds(5)

    func run() async -> [Finding] {
        await certificate() + (settings.proxies.map(Self.findings) ?? [])
    }

    /// Checks that the trusted networks are small: one as large as that of all containers or pods has more in it than proxies.
    static func findings(of proxies: TrustedProxies) -> [Finding] {
        proxies.networks.filter { $0.hostBits > 8 }.map {
            .wrong(
                GatewayChecks.topic,
                "AQUA_TRUSTED_PROXIES names \($0), so that everything in it can say who is calling",
                mend: "Name the addresses of the proxies alone, here and for the gateway.")
        }
    }

    private func certificate() async -> [Finding] {
        guard let proxy = settings.proxy else { return [] }
        do {
            return try await Self.certificate.run(
                proxy, name: settings.publicURL.flatMap(GatewayChecks.host), now: clock.now(), within: patience,
                refused: story)
        } catch {
            return [Self.finding(of: error, at: proxy)]
        }
    }

    /// The finding about a proxy whose certificate could not be read. One that is meant to be stopped is no fault: in containers it
    /// has no address then.
    static func finding(of unread: UnreadCertificate, at proxy: HostAndPort) -> Finding {
        switch unread.code {
        case .unresolved:
            .notice(
                GatewayChecks.topic,
                "\(proxy.host), where AQUA_PROXY_ADDRESS has the proxy, is no name with an address",
                mend:
                    "Start the proxy, unless it is meant to be stopped: a container's name has an address while it runs. Else correct AQUA_PROXY_ADDRESS, or leave it empty where another proxy serves people."
            )
        case .unanswered:
            .notice(
                GatewayChecks.topic, "nothing answers at \(proxy), where AQUA_PROXY_ADDRESS has the proxy",
                mend:
                    "Start the proxy, unless it is meant to be stopped. When it runs, look at its log. Leave AQUA_PROXY_ADDRESS empty where another proxy serves people."
            )
        case .stalled:
            .wrong(
                GatewayChecks.topic, "the proxy at \(proxy) takes connections and does not go on with TLS",
                mend:
                    "Restart the proxy, and look at its log and at this machine's load. If AQUA_PROXY_ADDRESS names a port that serves no TLS, correct it."
            )
        case .absent:
            .wrong(
                GatewayChecks.topic, "the proxy at \(proxy) has no certificate for the host of AQUA_PUBLIC_URL",
                mend: "Its log says why. \(advice)")
        case .notBegun:
            .wrong(
                GatewayChecks.topic, "the proxy's certificate could not be looked at: \(unread)",
                mend: "Correct AQUA_PUBLIC_URL, whose host the proxy is asked for: a DNS name, or an address.")
        }
    }

    private static let advice =
        "Let's Encrypt has to find the name in the public DNS and reach this machine by it at port 80 or 443; without a public name set AQUA_PUBLIC_CERTIFICATE=internal."

    /// The proxy renews by itself, at the latest when a third of the certificate's life is left.
    static let certificate = CertificateCheck(
        topic: GatewayChecks.topic, what: "the proxy's certificate", renewal: .byItself,
        mend: "The proxy's log says why it was not renewed. \(advice)")

    private func story(of fault: CertificateFault) -> Finding {
        switch fault {
        case .otherName:
            .wrong(
                GatewayChecks.topic,
                "the proxy's certificate is not for the host of AQUA_PUBLIC_URL, and browsers refuse it",
                mend: "Give the proxy the name of AQUA_PUBLIC_URL (AQUA_PUBLIC_NAME), or correct AQUA_PUBLIC_URL.")
        case .notTrusted:
            .notice(
                GatewayChecks.topic, "this machine does not trust the proxy's certificate",
                mend:
                    "Fine if an authority of your own signed it, as with AQUA_PUBLIC_CERTIFICATE=internal, and people's devices know that authority."
            )
        }
    }
}
