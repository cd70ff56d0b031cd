package import Mail
package import PushClient
package import PushTargets
package import Secrets
package import ServiceKit
import WaterQuality
package import Words

/// A notifier's settings, from its environment: `AQUA_DATABASE_URL` and `AQUA_DATABASE_PASSWORD_FILE`,
/// `AQUA_SECRET_KEY_FILE` (opens the endpoints' secrets), `AQUA_PUSH_ALLOW`, `AQUA_PUSH_CA_FILE`; and for browsers
/// `AQUA_VAPID_KEY_FILE`, `AQUA_VAPID_SUBJECT`, `AQUA_PUBLIC_URL`, `AQUA_WEB_PUSH_HOSTS`; for apps what `APNsSettings` and `FCMSettings`
/// read; for mail what `MailServer` reads; and for the canary what `HeartbeatAddress` does.
package struct NotifierConfiguration: Sendable {
    package var database: DatabaseSettings
    package var secretKeys: Renewable<SecretKeys>
    package var allowed: PushAllowList
    package var authorityFile: String?
    /// nil when nothing is sent to browsers.
    package var webPush: WebPushSettings?
    /// nil when nothing is sent to apps on Apple devices.
    package var apns: APNsSettings?
    /// nil when nothing is sent to apps on Android devices.
    package var fcm: FCMSettings?
    /// Where messages lead; nil where the installation has no public address.
    package var origin: PublicOrigin?
    /// The installation's own name and accents (`AQUA_BRAND_NAME`, `AQUA_BRAND_COLOUR`).
    package var brand = Brand.product
    /// nil where no mail is sent.
    package var mail: MailServer?
    /// nil where nobody outside waits for a sign of life.
    package var heartbeat: HeartbeatAddress?
    package var settings = NotifierSettings()

    package init(
        database: DatabaseSettings, secretKeys: Renewable<SecretKeys>, allowed: PushAllowList = PushAllowList(),
        authorityFile: String? = nil, webPush: WebPushSettings? = nil, origin: PublicOrigin? = nil,
        settings: NotifierSettings = NotifierSettings()
    ) {
        self.database = database
        self.secretKeys = secretKeys
        self.allowed = allowed
        self.authorityFile = authorityFile
        self.webPush = webPush
        self.origin = origin
        self.settings = settings
    }

    package init(reader: ConfigurationReader) {
        database = reader.serviceDatabase()
        secretKeys = reader.secretKeys() ?? Renewable(.zeros)
        allowed = reader.optional(.pushAllow, parse: PushAllowList.init) ?? PushAllowList()
        authorityFile = reader.optionalFile(.pushCAFile)
        webPush = WebPushSettings(reader)
        apns = APNsSettings(reader)
        fcm = FCMSettings(reader)
        brand = reader.brand()
        mail = MailServer(reader, brand)
        heartbeat = HeartbeatAddress(reader, policy: PushTargetPolicy(allowed: allowed))
        origin = reader.optional(.publicURL, parse: PublicOrigin.init)
    }
}

extension NotifierConfiguration {
    /// The names of the apps that are sent to, at their push services.
    var apps: [Endpoint.Channel: String] {
        var apps: [Endpoint.Channel: String] = [:]
        apps[.apns] = apns?.topic
        apps[.fcm] = fcm?.account.current.project
        return apps
    }
}

extension ConfigurationReader {
    fileprivate func secretKeys() -> Renewable<SecretKeys>? {
        renewableSecrets(
            .secretKeyFile, minimumLength: 1, remedy: "write one into it, such as from: openssl rand -hex 32",
            parse: SecretKeys.init)
    }
}

/// The figures that a notifier works with; others than these are for tests.
package struct NotifierSettings: Sendable {
    /// The age from which an alert is not sent any more.
    package var staleAfter = Duration.seconds(1800)
    /// The length of a lease: if this notifier freezes, another has its deliveries after this time.
    package var lease = Duration.seconds(60)
    /// How long a notifier whose session is lost may take to come back; after that its leases are over.
    package var absence = Duration.seconds(3)
    /// How often to look without having been told.
    package var interval = Duration.seconds(1)
    package var schedule = RetrySchedule()
    package var limits = PushClient.Limits()
    /// A host whose last answer took longer must not fill our queue.
    package var slow = Duration.seconds(1)
    /// How long deliveries wait for which there is no room in their host's queue, or that seem too late by a clock that is
    /// not trusted.
    package var putOff = Duration.seconds(30)
    /// After which to look again whether an older alert has arrived before which an all-clear must not.
    package var patience = Duration.seconds(2)
    /// How long after its lease a delivery may be sent without a look whether what it says still holds.
    package var truthLasts = Duration.seconds(1)
    /// How long leasing waits for a connection to the database before it says that it is still there.
    package var patienceForDatabase = Duration.seconds(10)
    /// How often the keys for browsers are read anew and announced.
    package var announcement = Duration.seconds(60)
    /// How often to look for ways that take no alerts.
    package var lookAtWays = Duration.seconds(60)
    /// How often to look whether the canary has come through.
    package var lookAtCanary = Duration.seconds(5)
    /// How often to look for what is told regularly, and due.
    package var lookForRegular = Duration.seconds(20)
    /// How long requests may go on after SIGTERM.
    package var grace = Duration.seconds(6)
    var bounds = HostLanes<Lease>.Bounds()
    /// Asks for the addresses of a name; may block.
    var ask: @Sendable (String) -> [IPAddress] = NameLookup.system

    package init() {}

    /// No delivery waits for longer than this, unless the clock was put back.
    var longestWait: Duration {
        max(
            lease, putOff, schedule.longest, RetryAfter.longest, Verdict.patienceWithRefusals, Verdict.patienceWithApple
        )
            + .seconds(60)
    }

    /// Apple and Google want connections that stay: those to them are kept for as long as routers on the way remember a silent one.
    var appLimits: PushClient.Limits {
        var limits = limits
        limits.idle = .seconds(240)
        return limits
    }

    /// The head of the answer, and as long again for a body that trickles.
    var longestAttempt: Duration { limits.total * 2 }

    /// The most deliveries that may be outstanding: even if every receiver is slow, each still starts within its lease.
    var capacity: Int {
        bounds.running * max(1, Int((lease - longestAttempt) / limits.total))
    }
}
