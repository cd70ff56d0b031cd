import ServiceKit
import Testing

@testable import Gateway

/// The provider's settings, beside faults of everything else that a gateway needs.
@Suite struct OpenIDSettingsTests {
    private static let pair = ["AQUA_OIDC_ISSUER": "https://id.example.org", "AQUA_OIDC_CLIENT_ID": "aqua"]

    private func faults(_ environment: [String: String]) -> Set<String> {
        var faults: [String] = []
        do {
            _ = try Configuration.read(from: environment, GatewayConfiguration.init(reader:))
        } catch {
            faults = error.faults.map(\.variable)
        }
        return Set(faults.filter { $0.hasPrefix("AQUA_OIDC") || $0 == "AQUA_PASSWORDS" })
    }

    @Test func `a provider is whole or none, and without passwords there is one`() {
        #expect(faults([:]) == [])
        #expect(faults(Self.pair) == [])
        #expect(faults(["AQUA_PASSWORDS": "off"].merging(Self.pair) { $1 }) == [])
        #expect(faults(["AQUA_PASSWORDS": "off"]) == ["AQUA_PASSWORDS"])
        #expect(faults(["AQUA_OIDC_ISSUER": "https://id.example.org"]) == ["AQUA_OIDC_CLIENT_ID"])
        #expect(faults(["AQUA_OIDC_CLIENT_ID": "aqua"]) == ["AQUA_OIDC_ISSUER"])
    }

    @Test(arguments: [
        ("AQUA_OIDC_ISSUER", "http://id.example.org"), ("AQUA_OIDC_SCOPES", "profile email"),
        ("AQUA_OIDC_NAME", "A name that is far too long for any button at all"), ("AQUA_OIDC_SIGN_UP", "yes"),
        ("AQUA_OIDC_SECRET_FILE", "/nowhere/secret"), ("AQUA_OIDC_CA_FILE", "/nowhere/ca.pem"),
        ("AQUA_PASSWORDS", "no"),
    ])
    func `what a setting cannot be is told`(variable: String, text: String) {
        #expect(faults(Self.pair.merging([variable: text]) { $1 }) == [variable])
    }
}
