/// How one client reaches its broker and what it asks of the session.
package struct MQTTConfiguration: Sendable {
    package var endpoint: MQTTEndpoint
    /// Names the session at the broker. Two clients with one id disconnect each other.
    package var clientID: String
    package var credentials: MQTTCredentials?
    /// PEM file of the authorities that may sign the broker's certificate; nil trusts the system's. Used with TLS only.
    package var certificateAuthorityFile: String?
    /// Discards what the broker kept for this client id.
    package var cleanStart: Bool
    /// Seconds for which the broker keeps the session without a connection.
    package var sessionExpiry: UInt32
    /// The most unacknowledged messages that the broker may have in flight to us: the bound of a batch.
    package var receiveMaximum: UInt16
    package var will: MQTTMessage?
    /// Seconds between keep-alive packets, at least 5; 0 sends none. A consumer always uses 0: a PINGREQ is a write,
    /// and a write releases PUBACKs.
    package var keepAlive: UInt16
    /// The limit on CONNECT, SUBSCRIBE and a stalled write.
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

    /// The configuration of a seat, which must not lose anything: a session that outlives the connection by months (the
    /// broker's queue limit bounds its cost), no keep-alive packets, and as many messages in flight as one batch holds.
    package static func durable(
        endpoint: MQTTEndpoint, clientID: String, credentials: MQTTCredentials?,
        certificateAuthorityFile: String? = nil, batch: UInt16
    ) -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: endpoint, clientID: clientID, credentials: credentials,
            certificateAuthorityFile: certificateAuthorityFile, cleanStart: false, sessionExpiry: 180 * 86_400,
            receiveMaximum: batch, keepAlive: 0)
    }

    /// - Throws: `invalidConfiguration` with a sentence that names the setting.
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
