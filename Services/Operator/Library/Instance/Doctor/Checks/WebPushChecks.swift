import Postgres
import ServiceKit
import Store
import WebPush

/// Settings of the services for browsers, as far as this tool is configured with them.
struct BrowserSettings: Sendable {
    let publicURL: PublicOrigin?
    let subject: PushSubject?

    init(_ reader: ConfigurationReader) {
        publicURL = reader.optional(.publicURL, parse: PublicOrigin.init)
        subject = reader.optional(.vapidSubject, parse: PushSubject.init)
        _ = reader.optional(.webPushHosts, parse: PushHosts.init(adding:))
    }
}

/// Looks whether alerts can reach browsers.
struct WebPushChecks {
    let connection: PostgresConnection
    /// nil after a fault of the configuration.
    let settings: BrowserSettings?

    private static let topic = "web push"
    /// Notifiers announce their keys every minute.
    private static let patience = 300.0

    func run() async throws -> [Finding] {
        let keys = try await connection.execute(ReadVAPIDKeys())
        let browsers = try await connection.execute(CountBrowsers()).first
        guard let newest = keys.first else { return [Self.switchedOff(browsers?.all ?? 0)] }
        var findings: [Finding] = []
        if newest.age > Self.patience {
            findings.append(
                .notice(
                    Self.topic, "no notifier has announced its keys for \(Int(newest.age / 60)) minutes",
                    mend: "Start aqua-notifier, unless it is meant to be stopped. When it runs, look at its log."))
        } else {
            findings.append(.ok(Self.topic, "browsers may subscribe, with key \(newest.id)"))
        }
        if let browsers, browsers.orphaned > 0 {
            findings.append(
                .wrong(
                    Self.topic,
                    "\(browsers.orphaned) of \(browsers.all) browsers subscribed with keys that the notifier does not have: nothing reaches them",
                    mend:
                        "Put the keys that are missing back into AQUA_VAPID_KEY_FILE of the notifier, below the newest. If they are "
                        + "lost, these people have to open the web app again, which subscribes anew."))
        }
        findings += subject()
        return findings
    }

    private static func switchedOff(_ browsers: Int64) -> Finding {
        let mend = "Give the notifier AQUA_VAPID_KEY_FILE and AQUA_PUBLIC_URL, and look at its log."
        return browsers > 0
            ? .wrong(topic, "\(browsers) browsers are registered, and no notifier can send to them", mend: mend)
            : .notice(topic, "nothing can be sent to browsers: no notifier has announced a key", mend: mend)
    }

    /// Checks the contact for push services: without one that they can accept, Apple refuses every message.
    private func subject() -> [Finding] {
        guard let settings, let publicURL = settings.publicURL, settings.subject == nil,
            PushSubject(publicURL.text) == nil
        else { return [] }
        return [
            .notice(
                Self.topic,
                "messages name nobody to write to, as \(publicURL.text) is no public address: Safari gets none",
                mend:
                    "Set AQUA_VAPID_SUBJECT to a mail address of yours, such as mailto:water@example.org, here and for the notifier."
            )
        ]
    }
}
