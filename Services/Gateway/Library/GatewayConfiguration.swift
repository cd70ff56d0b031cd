package import Mail
package import PublicHTTP
package import PushTargets
package import Secrets
package import ServiceKit
package import Stations
package import WaterQuality
package import WebPush
package import Words

/// A gateway's settings, from its environment: `AQUA_DATABASE_URL` and `AQUA_DATABASE_PASSWORD_FILE`,
/// `AQUA_SECRET_KEY_FILE`, `AQUA_TOKEN_KEY_FILE`, `AQUA_PEOPLE_LISTEN`, `AQUA_PEOPLE_CERTIFICATE_FILE`,
/// `AQUA_PEOPLE_KEY_FILE`, `AQUA_PUBLIC_URL`, `AQUA_TRUSTED_PROXIES`, `AQUA_SIGN_UP`, `AQUA_PUSH_ALLOW`,
/// `AQUA_PUSH_CA_FILE`, `AQUA_LIVE_LISTENERS`, `AQUA_WEB_PUSH_HOSTS`, `AQUA_THROTTLE`, `AQUA_HOLD`,
/// `AQUA_WEB_DIRECTORY`, `AQUA_STATIONS`, `AQUA_MAP_TILES`, `AQUA_MAP_FILE`, `AQUA_MAP_ATTRIBUTION`, `AQUA_BRAND_NAME`, `AQUA_BRAND_COLOUR`,
/// `AQUA_BRAND_LOGO_FILE`,
/// `AQUA_PASSWORDS`; for mail what `MailServer` reads, for the sign-in
/// provider what `OpenIDSettings` reads.
package struct GatewayConfiguration: Sendable {
    package var database: DatabaseSettings
    package var secretKeys: Renewable<SecretKeys>
    package var tokenKeys: Renewable<AccessTokenKeys>
    package var address: HostAndPort
    /// Nil where a proxy in front serves TLS, or nothing does.
    package var certificate: RenewableCertificate?
    package var origin: PublicOrigin
    package var proxies: TrustedProxies
    package var signUp: SignUp
    /// The house's own provider, by which people sign in; nil where there is none.
    package var provider: OpenIDSettings?
    /// Whether passwords let people in (`AQUA_PASSWORDS`).
    package var takesPasswords = true
    package var allowed: PushAllowList
    package var authorityFile: String?
    /// The push services that browsers may name.
    package var pushHosts = PushHosts.known
    /// The installation's own name and accents (`AQUA_BRAND_NAME`, `AQUA_BRAND_COLOUR`).
    package var brand = Brand.product
    /// nil where no mail is sent.
    package var mail: MailServer?
    package var settings = GatewaySettings()
    /// The engines' policy (`AQUA_THROTTLE`, `AQUA_HOLD`), for back-tests and explanations.
    package var policy = AlertPolicy()
    /// The most event streams at once (`AQUA_LIVE_LISTENERS`).
    package var mostListeners = 10_000
    /// The source of the web app's map (`AQUA_MAP_TILES`); nil where places are drawn without one.
    package var tiles: MapTiles?
    /// The service's own map (`AQUA_MAP_FILE`); nil where there is none, and where tiles come from elsewhere.
    package var mapFile: MapFile?
    /// The hosts whose public stations sites may show (`AQUA_STATIONS`).
    package var stations = StationHosts.none
    /// The web app (`AQUA_WEB_DIRECTORY`); nil where only the API is served.
    package var app: WebApp?

    package init(
        database: DatabaseSettings, secretKeys: Renewable<SecretKeys>, tokenKeys: Renewable<AccessTokenKeys>,
        address: HostAndPort, origin: PublicOrigin, proxies: TrustedProxies = .none, signUp: SignUp = .invitation,
        allowed: PushAllowList = PushAllowList(), authorityFile: String? = nil,
        settings: GatewaySettings = GatewaySettings()
    ) {
        self.database = database
        self.secretKeys = secretKeys
        self.tokenKeys = tokenKeys
        self.address = address
        self.origin = origin
        self.proxies = proxies
        self.signUp = signUp
        self.allowed = allowed
        self.authorityFile = authorityFile
        self.settings = settings
    }

    package init(reader: ConfigurationReader) {
        database = reader.serviceDatabase()
        secretKeys = reader.keys(.secretKeyFile, parse: SecretKeys.init) ?? Renewable(.zeros)
        tokenKeys = reader.keys(.tokenKeyFile, parse: AccessTokenKeys.init) ?? Renewable(.random())
        address = reader.hostAndPort(.peopleListen, default: HostAndPort(host: "127.0.0.1", port: 8080))
        certificate = reader.peopleCertificate()
        origin = reader.required(.publicURL, standIn: .standIn, parse: PublicOrigin.init)
        proxies = reader.optional(.trustedProxies, parse: TrustedProxies.init) ?? .none
        proxies.shared = .ofThisHost()
        signUp = reader.optional(.signUp) { SignUp(rawValue: $0) } ?? .invitation
        provider = OpenIDSettings(reader)
        takesPasswords = reader.flag(.passwords, default: true)
        if !takesPasswords, provider == nil {
            reader.fault(.passwords, "is off, and no provider lets anybody in", remedy: "set AQUA_OIDC_ISSUER, too")
        }
        allowed = reader.optional(.pushAllow, parse: PushAllowList.init) ?? PushAllowList()
        authorityFile = reader.optionalFile(.pushCAFile)
        brand = reader.brand()
        mail = MailServer(reader, brand)
        pushHosts = reader.optional(.webPushHosts, parse: PushHosts.init(adding:)) ?? .known
        policy.throttle = reader.duration(.throttle, default: policy.throttle)
        policy.holdWithin = reader.duration(.hold, default: AlertPolicy.usualHold, within: AlertPolicy.holdBounds)
        mostListeners =
            reader.optional(.liveListeners) { Int($0).flatMap { (0...100_000).contains($0) ? $0 : nil } } ?? 10_000
        stations = reader.optional(.stations, parse: StationHosts.init) ?? .none
        (tiles, mapFile) = reader.map()
        app = reader.webApp(tiles: tiles, look: AppLook(brand, logo: reader.brandLogo()))
    }
}

extension ConfigurationReader {
    fileprivate func keys<Keys: Sendable>(
        _ variable: Variable, parse: @escaping @Sendable ([String]) -> Keys?
    ) -> Renewable<Keys>? {
        renewableSecrets(
            variable, minimumLength: 1, remedy: "write one into it, such as from: openssl rand -hex 32", parse: parse)
    }
}
