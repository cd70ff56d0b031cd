package import PushTargets

/// The provider of a push service, from a small set of values for metrics.
package enum PushService: String, CaseIterable, Sendable {
    /// Of browsers.
    case google, mozilla, apple, microsoft
    /// Of apps.
    case apns, fcm
    /// A service that the operator has added.
    case other

    package init(of target: PushTarget) {
        let host = target.host
        if host == "fcm.googleapis.com" {
            self = .google
        } else if host == "updates.push.services.mozilla.com" {
            self = .mozilla
        } else if host.hasSuffix(".push.apple.com") {
            self = .apple
        } else {
            self = host.hasSuffix(".notify.windows.com") ? .microsoft : .other
        }
    }
}
