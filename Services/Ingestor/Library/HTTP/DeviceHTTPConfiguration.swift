import NIOCore
package import PublicHTTP
package import ServiceKit

/// Where devices that do not speak MQTT send their readings to: `AQUA_DEVICE_HTTP_LISTEN`, `AQUA_DEVICE_HTTP_CERTIFICATE_FILE`,
/// `AQUA_DEVICE_HTTP_KEY_FILE` and `AQUA_TRUSTED_PROXIES`.
package struct DeviceHTTPConfiguration: Sendable {
    package var address: HostAndPort
    /// Nil where a proxy in front serves TLS, or nobody.
    package var certificate: RenewableCertificate?
    package var proxies: TrustedProxies
    package var settings = DeviceHTTPSettings()

    package init(
        address: HostAndPort, certificate: RenewableCertificate? = nil, proxies: TrustedProxies = .none,
        settings: DeviceHTTPSettings = DeviceHTTPSettings()
    ) {
        self.address = address
        self.certificate = certificate
        self.proxies = proxies
        self.settings = settings
    }
}

/// The figures that the device server works with; others than these are for tests.
package struct DeviceHTTPSettings: Sendable {
    package var timeouts = {
        var timeouts = ConnectionTimeouts()
        // Devices come every half minute: to keep their connections would take a place for each.
        timeouts.idle = .seconds(10)
        return timeouts
    }()
    /// The most connections at once, and from one place: a farm's devices share an address.
    package var mostConnections = 2_000
    package var mostConnectionsPerNetwork = 500
    /// TLS handshakes from one place in a minute.
    package var handshakes = RatePolicy("handshakes", quota: 3_000)
    /// Requests in a minute, from one place.
    package var addressRate = RatePolicy("address", quota: 6_000)
    /// Requests in a minute, of one device: one in 30 s is usual, and a back-log has 256 readings in each.
    package var deviceRate = RatePolicy("device", quota: 240)
    /// Requests of one device that may be under way at once.
    package var mostRunningPerDevice = 2
    /// Requests under way at once; each may hold a body.
    package var mostRunning = 256
    package var guesses = GuessRates.deviceKeys
    /// How long a key may take to be looked up, and readings to be committed, before the device is asked to come again.
    package var lookUpLimit = Duration.seconds(5)
    package var commitLimit = Duration.seconds(10)
    /// After which the files of the certificate are looked at again.
    package var certificateRound = Duration.seconds(10)

    package init() {}
}

extension GuessRates {
    /// A key has 256 bits: this spares the database. All strangers together may try a device so often that they do not keep it out.
    package static let deviceKeys = GuessRates(
        pair: BucketRate(burst: 10, interval: .seconds(30)),
        subject: BucketRate(burst: 100_000, interval: .milliseconds(1)),
        origin: BucketRate(burst: 60, interval: .seconds(1)))
}

extension CertificateVariables {
    static let devices = CertificateVariables(
        chain: .deviceHTTPCertificateFile, key: .deviceHTTPKeyFile, audience: "devices")
}

extension ConfigurationReader {
    /// Nil unless `AQUA_DEVICE_HTTP_LISTEN` is set.
    func deviceHTTP() -> DeviceHTTPConfiguration? {
        guard optionalString(.deviceHTTPListen) != nil else { return nil }
        return DeviceHTTPConfiguration(
            address: hostAndPort(.deviceHTTPListen), certificate: certificate(.devices),
            proxies: optional(.trustedProxies, parse: TrustedProxies.init) ?? .none)
    }
}
