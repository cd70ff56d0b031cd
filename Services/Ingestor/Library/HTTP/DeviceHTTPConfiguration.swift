import NIOCore
package import PublicHTTP
package import ServiceKit

/// Settings of the server for devices that do not speak MQTT: `AQUA_DEVICE_HTTP_LISTEN`,
/// `AQUA_DEVICE_HTTP_CERTIFICATE_FILE`, `AQUA_DEVICE_HTTP_KEY_FILE` and `AQUA_TRUSTED_PROXIES`.
package struct DeviceHTTPConfiguration: Sendable {
    package var address: HostAndPort
    /// Nil where a proxy in front serves TLS, or nothing does.
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

/// Limits and intervals of the device server; tests use others.
package struct DeviceHTTPSettings: Sendable {
    package var timeouts = {
        var timeouts = ConnectionTimeouts()
        // Devices come every half minute: keeping connections open would take a place for each.
        timeouts.idle = .seconds(10)
        return timeouts
    }()
    /// Most connections at once, in all and from one network: a farm's devices share an address.
    package var mostConnections = 2_000
    package var mostConnectionsPerNetwork = 500
    /// TLS handshakes per minute from one network.
    package var handshakes = RatePolicy("handshakes", quota: 3_000)
    /// Requests per minute from one network.
    package var addressRate = RatePolicy("address", quota: 6_000)
    /// Requests per minute of one device. One in 30 s is usual; a backlog fits 256 readings into each.
    package var deviceRate = RatePolicy("device", quota: 240)
    /// Concurrent requests of one device.
    package var mostRunningPerDevice = 2
    /// Concurrent requests in all; each may hold a body.
    package var mostRunning = 256
    package var guesses = GuessRates.deviceKeys
    /// Time limits for looking up a key and for committing readings; beyond them the device is asked to come again.
    package var lookUpLimit = Duration.seconds(5)
    package var commitLimit = Duration.seconds(10)
    /// Interval at which the certificate's files are checked for changes.
    package var certificateRound = Duration.seconds(10)

    package init() {}
}

extension GuessRates {
    /// A key has 256 bits, so this limit only spares the database. The limit per device, over all strangers together,
    /// is so high that they cannot keep the device out.
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
