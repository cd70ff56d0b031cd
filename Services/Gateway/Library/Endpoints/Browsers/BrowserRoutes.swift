import HTTPTypes
import Postgres
import PushTargets
import Routes
import Store
import WaterQuality
import WebPush

/// Routes of browsers that are alerted (Web Push).
enum BrowserRoutes {
    static let all = [show, register, remove]

    /// The state that a web app compares with its browser's subscription at each start.
    private struct Subscription: Sendable {
        let key: String?
        let endpoint: ShownEndpoint?

        static let output = Output<Subscription>.object(
            "PushSubscription", "Whether and how this installation is alerted.",
            [
                .member(
                    "applicationServerKey", .optional(of: .text),
                    "The key to subscribe with, in base64url; null when this service sends nothing to browsers.",
                    example: "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
                ) { $0.key },
                .member(
                    "endpoint", .optional(of: ShownEndpoint.output),
                    "The browser that this installation has registered; null for none."
                ) { $0.endpoint },
            ])
    }

    private static let show = Route<Caller>(
        .get, "/push-subscription", id: "showPushSubscription", tag: EndpointRoutes.tag.name, access: .read,
        "Show the browser of this installation",
        text:
            "The key that browsers subscribe with, and how the browser of this session's installation fares. A browser whose "
            + "options.applicationServerKey is another has to subscribe anew.",
        answers: .json(.ok, Subscription.output),
        handle: { caller, _ in
            .value(
                // One snapshot: another window may be about to replace the subscription found here.
                try await caller.scope.transaction(TransactionOptions(isolation: .repeatableRead)) {
                    transaction, account in
                    let endpoint = try transaction.installed([.webPush], from: caller.session, of: account)
                    return Subscription(
                        key: try transaction.newestKey(),
                        endpoint: try endpoint.map { try transaction.endpoint($0, of: account) })
                })
        })

    private static let register = Route<Caller>(
        .put, "/push-subscription", id: "registerPushSubscription", tag: EndpointRoutes.tag.name, access: .session,
        "Register the browser of this installation",
        text:
            "From now on alerts go there, until somebody signs out; signing in again on the same installation resumes them. "
            + "It takes the place of the subscription that the installation had before. To be repeated at each start of the web "
            + "app: what is registered already stays as it is. It lasts no longer than the session, whoever has that: no password is needed.",
        inputs: [BrowserInputs.endpoint, BrowserInputs.p256dh, BrowserInputs.auth, BrowserInputs.key],
        answers: .json(.ok, ShownEndpoint.output),
        problems: [
            .noInstallation, .webPushOff, .pushKeyUnknown, .subscriptionGone, .endpointTaken, .tooManyEndpoints,
            .sessionEnded,
        ],
        handle: { caller, inputs in
            .value(
                try await BrowserRegistration(
                    scope: caller.scope, session: caller.session, target: try target(inputs, caller.scope),
                    keys: try keys(inputs), vapidKey: try vapidKey(inputs)
                ).run())
        })

    private static let remove = Route<Caller>(
        .delete, "/push-subscription", id: "removePushSubscription", tag: EndpointRoutes.tag.name, access: .session,
        "Remove the browser of this installation",
        text: "No alerts go there any longer. The answer is the same where none is registered.",
        answers: .nothing,
        handle: { caller, _ in
            try await caller.scope.transaction { transaction, account in
                try transaction.removeInstalled([.webPush], from: caller.session, of: account)
            }
            return .nothing
        })

    /// - Throws: `Problem` unless the address belongs to a push service that browsers use.
    private static func target(_ inputs: Inputs, _ scope: Scope) throws -> String {
        let target: PushTarget
        do {
            target = try scope.services.challenger.policy.register(inputs[BrowserInputs.endpoint])
        } catch {
            throw Problem(BrowserInputs.endpoint, Fault(error))
        }
        guard scope.services.pushHosts.permit(target) else { throw Problem(BrowserInputs.endpoint, .pushService) }
        return target.url
    }

    private static func keys(_ inputs: Inputs) throws -> SubscriptionKeys {
        guard let keys = SubscriptionKeys(p256dh: inputs[BrowserInputs.p256dh], auth: inputs[BrowserInputs.auth]) else {
            throw Problem(BrowserInputs.p256dh, .subscriptionKeys)
        }
        return keys
    }

    private static func vapidKey(_ inputs: Inputs) throws -> VAPIDPublicKey {
        guard let key = VAPIDPublicKey(inputs[BrowserInputs.key]) else { throw Problem(.pushKeyUnknown) }
        return key
    }
}

extension PostgresTransaction {
    fileprivate func newestKey() throws -> String? {
        try execute(ReadVAPIDKeys()).first.flatMap { VAPIDPublicKey(bytes: $0.publicKey)?.text }
    }
}
