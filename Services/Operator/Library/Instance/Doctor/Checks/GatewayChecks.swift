import FoundationEssentials
import ServiceKit

/// Where people's side is, as the tool is told.
struct GatewaySettings: Equatable, Sendable {
    /// Where a Gateway listens for people.
    let address: HostAndPort?
    /// The address by which people reach it.
    let publicURL: String?

    /// - Returns: nil where neither is named.
    init?(_ reader: ConfigurationReader) {
        address = reader.optional(.peopleListen, parse: HostAndPort.init)
        publicURL = reader.optional(.publicURL) { $0 }
        guard address != nil || publicURL != nil else { return nil }
    }
}

/// Looks whether a Gateway serves people, who may open an account there, and whether passwords travel encrypted.
struct GatewayChecks {
    let settings: GatewaySettings

    private static let topic = "gateway"

    func run() async -> [Finding] {
        var findings: [Finding] = []
        if let address = settings.address { findings += await asked(address) }
        if let publicURL = settings.publicURL { findings.append(Self.finding(of: publicURL)) }
        return findings
    }

    private struct Service: Decodable {
        let name: String
        let version: String
        let signUp: String
    }

    /// A notice where nobody answers, and no fault: the doctor may run before the services start.
    private func asked(_ address: HostAndPort) async -> [Finding] {
        let answer: String
        do {
            answer = try await HealthProbe.answer(at: address, path: "/api/v1/service")
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

    /// Looks at the address that people use, which has to be one that browsers keep apart from others and encrypt.
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
                    "Put a proxy with a certificate in front of it, such as the one of the profile public, and name its address."
            )
        }
        return .ok(topic, "it is reached from this machine alone, at \(publicURL)")
    }

    /// - Returns: nil for anything but a scheme and an authority.
    private static func host(of url: String) -> String? {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        var authority = lower.dropFirst(scheme.count)
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        guard !authority.hasPrefix("[") else { return String(authority.prefix { $0 != "]" }) + "]" }
        return String(authority.prefix { $0 != ":" })
    }
}
