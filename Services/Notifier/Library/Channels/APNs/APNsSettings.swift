package import ServiceKit

/// The settings for sending to apps on Apple devices.
package struct APNsSettings: Sendable {
    package var key: Renewable<APNsKey>
    /// Apple's names of the key and of the app's team.
    package var keyID: String
    package var teamID: String
    /// The app's bundle id.
    package var topic: String
    /// The origin of Apple's server: tokens of apps that are being developed are known to the sandbox alone, all others to the other.
    package var server: String
    /// Whether the app may break through silence: Apple's entitlement.
    package var allowsCritical: Bool

    package static let servers = [
        "production": "https://api.push.apple.com", "sandbox": "https://api.sandbox.push.apple.com",
    ]
    package static let production = "https://api.push.apple.com"

    package init(
        key: Renewable<APNsKey>, keyID: String, teamID: String, topic: String, server: String = Self.production,
        allowsCritical: Bool = false
    ) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
        self.server = server
        self.allowsCritical = allowsCritical
    }

    /// - Returns: nil where nothing is set, or something is wrong.
    init?(_ reader: ConfigurationReader) {
        let server = reader.optional(.apnsServer) { Self.servers[$0] }
        let allowsCritical = reader.flag(.apnsCritical)
        guard reader.areSet(.apnsKeyFile, .apnsKeyID, .apnsTeamID, .apnsTopic) else { return nil }
        let key = reader.optionalRenewableDocument(
            .apnsKeyFile, content: "key as Apple hands it out (.p8)", parse: APNsKey.init(file:))
        let keyID = reader.optional(.apnsKeyID, parse: Self.identifier)
        let teamID = reader.optional(.apnsTeamID, parse: Self.identifier)
        let topic = reader.optional(.apnsTopic) { $0.wholeMatch(of: /[A-Za-z0-9.-]{1,255}/) == nil ? nil : $0 }
        guard let key, let keyID, let teamID, let topic else { return nil }
        self.init(
            key: key, keyID: keyID, teamID: teamID, topic: topic, server: server ?? Self.production,
            allowsCritical: allowsCritical)
    }

    private static func identifier(_ text: String) -> String? {
        text.wholeMatch(of: /[A-Z0-9]{10}/) == nil ? nil : text
    }
}
