import Instants
import Messaging
import PushTargets
import Routes
import Store
import WaterQuality

/// An endpoint as its person sees it: its state, and of its address only the host.
struct ShownEndpoint: Sendable {
    /// Whether alerts arrive there.
    enum State: String, CaseIterable, Sendable {
        case active
        /// The latest attempts were not accepted.
        case failing
        /// The person signed out where it was registered.
        case paused
        /// The receiver answered that it is gone: it gets nothing until it is registered again.
        case gone
    }

    let row: ListEndpoints.Row

    var state: State {
        if row.goneAt != nil { return .gone }
        if row.pausedAt != nil { return .paused }
        return row.failingSince == nil ? .active : .failing
    }

    /// For what it reaches the person now.
    var reach: ListEndpoints.Reach { state == .active ? row.reach ?? .nothing : .nothing }

    /// The host alone: whoever knows the whole address may post to it.
    var host: String { PushTarget.shownHost(of: row.target) }

    /// Since when the endpoint gets nothing; nil while alerts arrive, or where none was ever tried.
    var nothingSince: Timestamp? { row.goneAt ?? row.pausedAt ?? row.failingSince }

    static let output = Output<ShownEndpoint>.object(
        "Endpoint", "A place that the person's alerts are sent to.",
        [
            .member("id", .integer, "The endpoint's number.", example: 7) { Int($0.row.endpoint.rawValue) },
            .member(
                "channel", .choice(Word<Endpoint.Channel>.self),
                "How it is reached: webhook; webPush: a browser; apns, fcm: an app; or a service that brings messages.",
                example: "webhook"
            ) { $0.row.channel },
            .member(
                "service", .optional(of: .text), "The own name of the service that brings messages; null for others.",
                example: "ntfy"
            ) { $0.row.channel.known.flatMap { MessagingServices[channel: $0] }?.name },
            .member(
                "host", .text,
                "The host of its address, of a mailbox the first letter and the domain. The rest of it is a secret.",
                example: "alerts.example.org"
            ) { $0.host },
            .member(
                "state", .choice(State.self),
                "active; failing: the latest attempts were not accepted; paused: signed out where it was registered; "
                    + "gone: the receiver said that it is gone for good, register it again"
            ) { $0.state },
            .member("registeredAt", .timestamp, "When it was registered last.") { $0.row.registeredAt },
            .member(
                "nothingSince", .optional(of: .timestamp), "Since when it gets nothing; null while all is well."
            ) { $0.nothingSince },
            .member(
                "lastAcceptedAt", .optional(of: .timestamp),
                "When it last accepted one of the person's last 50 alerts."
            ) { $0.row.acceptedAt },
            .member(
                "reaches", .choice(ListEndpoints.Reach.self),
                "For what it reaches the person now. all; urgent: what is critical, and calls, since anything else goes to another endpoint; "
                    + "nothing: it takes no alerts, or has stopped to confirm them"
            ) { $0.reach },
            .member(
                "unconfirmedSince", .optional(of: .timestamp),
                "Since when it has confirmed nothing, though at least three messages, or two weekly notes, were accepted for it and it did confirm "
                    + "before; null while it does, and where nothing is ever confirmed."
            ) { $0.row.unconfirmedSince },
            .member(
                "lastArrivedAt", .optional(of: .timestamp),
                "When one of these last arrived, as the browser or the app itself said; null where none says so."
            ) { $0.row.arrivedAt },
            .member(
                "lastArrivedAfterMilliseconds", .optional(of: .integer), "How long after its decision that was.",
                example: 800
            ) { $0.row.arrivedAfterMilliseconds.map { Int($0.rounded()) } },
            .member(
                "lastFailure", .optional(of: .choice(Word<Delivery.Outcome>.self)),
                "How the latest attempt ended, while it is failing: retry: not accepted; ambiguous: no answer after the "
                    + "request was sent; gone; refused: nothing was sent"
            ) { $0.row.outcome },
            .member(
                "lastStatus", .optional(of: .integer), "The HTTP status of that answer, if one came.", example: 503
            ) { $0.row.status.map(Int.init) },
            .member(
                "heedsQuietHours", .boolean,
                "Whether it is told only later what is held back for quiet hours, or because the person was told much within an hour. A webhook "
                    + "never is.", example: false
            ) { $0.row.heedsQuietHours },
            .member(
                "onlyUrgent", .boolean,
                "Whether it is told of nothing but what is critical, how that goes on and ends, and of calls because nobody answers; of anything "
                    + "else only while the person has no other endpoint.", example: false
            ) { $0.row.onlyUrgent },
            .member(
                "formerSecretUntil", .optional(of: .timestamp),
                "Until when messages are signed with the former secret as well."
            ) { $0.row.formerUntil },
            .member(
                "form", .optional(of: .choice(Word<Endpoint.Form>.self)),
                "Of a webhook, the form of what it is sent; null for others.", example: "standard"
            ) { $0.row.channel.known == .webhook ? $0.row.form : nil },
        ])
}

/// An endpoint with the secret that its messages are signed with.
struct RegisteredEndpoint: Sendable {
    let endpoint: ShownEndpoint
    let secret: String

    static let output = Output<RegisteredEndpoint>.object(
        "RegisteredEndpoint", "An endpoint with its secret, which is shown this once.",
        [
            .member("endpoint", ShownEndpoint.output, "The endpoint.") { $0.endpoint },
            .member(
                "secret", .text, "By it the receiver knows that a message is genuine (Standard Webhooks).",
                example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
            ) { $0.secret },
        ])
}
