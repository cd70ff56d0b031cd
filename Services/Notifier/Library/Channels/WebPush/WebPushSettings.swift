package import ServiceKit
package import WebPush

/// What it takes to send to browsers.
package struct WebPushSettings: Sendable {
    package var keys: Renewable<VAPIDKeys>
    /// Whom push services may write to; nil for none, which Apple refuses.
    package var subject: PushSubject?
    /// Where a person who taps a notification is led.
    package var origin: PublicOrigin
    package var hosts: PushHosts

    package init(
        keys: Renewable<VAPIDKeys>, subject: PushSubject?, origin: PublicOrigin, hosts: PushHosts = .known
    ) {
        self.keys = keys
        self.subject = subject
        self.origin = origin
        self.hosts = hosts
    }

    /// - Returns: nil where either the keys or the public address is missing.
    init?(_ reader: ConfigurationReader) {
        let origin = reader.optional(.publicURL, parse: PublicOrigin.init)
        let subject = reader.optional(.vapidSubject, parse: PushSubject.init)
        let hosts = reader.optional(.webPushHosts, parse: PushHosts.init(adding:)) ?? .known
        let keys = reader.vapidKeys()
        guard let origin, let keys else { return nil }
        // The address of the service says as well as any whom to ask.
        self.init(keys: keys, subject: subject ?? PushSubject(origin.text), origin: origin, hosts: hosts)
    }
}

extension ConfigurationReader {
    fileprivate func vapidKeys() -> Renewable<VAPIDKeys>? {
        guard optionalString(.vapidKeyFile) != nil else { return nil }
        return renewableSecrets(
            .vapidKeyFile, minimumLength: 1, remedy: "write one into it, such as from: openssl rand -hex 32",
            parse: VAPIDKeys.init)
    }
}
