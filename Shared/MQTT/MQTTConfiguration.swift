/// How one client reaches its broker and what it asks of the session.
package struct MQTTConfiguration: Sendable {
    package var endpoint: MQTTEndpoint
    /// Names the session at the broker. Two clients with one id throw each other out.
    package var clientID: String
    package var credentials: MQTTCredentials?
    /// PEM file of the authorities that may sign the broker's certificate; nil trusts the system's. Only with TLS.
    package var certificateAuthorityFile: String?
    /// Discard what the broker kept for this client id.
    package var cleanStart: Bool
    /// How long the broker keeps the session without a connection; seconds, MQTT's own unit.
    package var sessionExpiry: UInt32
    /// How many unacknowledged messages the broker may have under way to us: the bound of a batch.
    package var receiveMaximum: UInt16
    package var will: MQTTMessage?
    /// Seconds between our signs of life, 5 or more; 0 sends none. A consumer always uses 0: a PINGREQ is a write, and a
    /// write releases PUBACKs.
    package var keepAlive: UInt16
    /// How long CONNECT, SUBSCRIBE and a stalled write may take.
    package var timeout: Duration

    package init(
        endpoint: MQTTEndpoint, clientID: String, credentials: MQTTCredentials? = nil,
        certificateAuthorityFile: String? = nil, cleanStart: Bool = true, sessionExpiry: UInt32 = 0,
        receiveMaximum: UInt16 = 1000, will: MQTTMessage? = nil, keepAlive: UInt16 = 60,
        timeout: Duration = .seconds(10)
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.credentials = credentials
        self.certificateAuthorityFile = certificateAuthorityFile
        self.cleanStart = cleanStart
        self.sessionExpiry = sessionExpiry
        self.receiveMaximum = receiveMaximum
        self.will = will
        self.keepAlive = keepAlive
        self.timeout = timeout
    }

    /// A seat that must not lose anything: a session that outlives the connection by months (what it may cost is bounded by
    /// the broker's queue), no keep-alive packets, and as many messages under way as one batch holds.
    package static func durable(
        endpoint: MQTTEndpoint, clientID: String, credentials: MQTTCredentials?,
        certificateAuthorityFile: String? = nil, batch: UInt16
    ) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint, clientID: clientID, credentials: credentials,
            certificateAuthorityFile: certificateAuthorityFile, cleanStart: false, sessionExpiry: 180 * 86_400,
            receiveMaximum: batch, keepAlive: 0)
    }

    /// - Throws: `invalidConfiguration` with a sentence.
    func validate() throws(MQTTError) {
        guard !clientID.isEmpty, clientID.utf8.count <= 65_535, !clientID.utf8.contains(0) else {
            throw MQTTError(.invalidConfiguration, "an MQTT client id has 1 to 65535 bytes and no NUL")
        }
        guard receiveMaximum > 0 else {
            throw MQTTError(.invalidConfiguration, "the receive maximum of an MQTT session is at least 1")
        }
        guard keepAlive == 0 || keepAlive >= 5 else {
            throw MQTTError(.invalidConfiguration, "the MQTT keep-alive is 0 (none) or at least 5 seconds")
        }
        guard certificateAuthorityFile == nil || endpoint.isSecure else {
            throw MQTTError(.invalidConfiguration, "a CA file needs an mqtts:// URL")
        }
    }
}

/// User name and password. Printing it shows the user only.
package struct MQTTCredentials: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var user: String
    package var password: String

    package init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    package var description: String { "user \(user)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
