import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of apps that are alerted through the push services of Apple and Google.
enum AppRoutes {
    static let all = [show, register, remove]

    private static let channels = AppPlatform.allCases.map(\.channel)

    /// The state that an app compares with its own at each start.
    private struct State: Sendable {
        let offered: [ReadAppChannels.Row]
        let endpoint: ShownEndpoint?

        static let output = Output<State>.object(
            "NativePush", "Whether and how this installation is alerted.",
            [
                .member("offered", .list(of: offer), "The apps that this service can send to; none by default.") {
                    $0.offered
                },
                .member(
                    "endpoint", .optional(of: ShownEndpoint.output),
                    "The app that this installation has registered; null for none."
                ) { $0.endpoint },
            ])

        private static let offer = Output<ReadAppChannels.Row>.object(
            "OfferedApp", "An app that this service can send to.",
            [
                .member(
                    "platform", .choice(Word<Endpoint.Channel>.self), "apns (Apple) or fcm (Firebase).",
                    example: "apns"
                ) { $0.channel },
                .member(
                    "app", .text, "Its name there: the bundle id, or the Firebase project.",
                    example: "org.example.water"
                ) { $0.app },
            ])
    }

    private static let show = Route<Caller>(
        .get, "/native-endpoints", id: "showNativeEndpoint", tag: EndpointRoutes.tag.name, access: .read,
        "Show the app of this installation",
        text: "The apps that this service can send to, and how the app of this session's installation fares.",
        answers: .json(.ok, State.output),
        handle: { caller, _ in
            .value(
                // A single snapshot, as for browsers.
                try await caller.scope.transaction(TransactionOptions(isolation: .repeatableRead)) {
                    transaction, account in
                    let endpoint = try transaction.installed(channels, from: caller.session, of: account)
                    return State(
                        offered: try transaction.execute(ReadAppChannels()),
                        endpoint: try endpoint.map { try transaction.endpoint($0, of: account) })
                })
        })

    private static let register = Route<Caller>(
        .post, "/native-endpoints", id: "registerNativeEndpoint", tag: EndpointRoutes.tag.name, access: .session,
        "Register the app of this installation",
        text:
            "From now on alerts go there, until somebody signs out; signing in again on the same installation resumes them. "
            + "The token takes the place of the one that the installation had before, of either platform, and leaves the account that it was registered "
            + "for. To be repeated at each start of the app: what is registered already stays as it is. It lasts no longer than the "
            + "session, whoever has that: no password is needed.",
        inputs: [AppInputs.platform, AppInputs.token],
        answers: .json(.ok, ShownEndpoint.output),
        problems: [.noInstallation, .nativePushOff, .endpointTaken, .tooManyEndpoints, .sessionEnded],
        handle: { caller, inputs in
            guard let token = AppToken(inputs[AppInputs.token], of: inputs[AppInputs.platform]) else {
                throw Problem(AppInputs.token, .pattern)
            }
            return .value(
                try await AppRegistration(scope: caller.scope, session: caller.session, token: token).run())
        })

    private static let remove = Route<Caller>(
        .delete, "/native-endpoints", id: "removeNativeEndpoint", tag: EndpointRoutes.tag.name, access: .session,
        "Remove the app of this installation",
        text: "No alerts go there any longer, by either platform. The answer is the same where none is registered.",
        answers: .nothing,
        handle: { caller, _ in
            try await caller.scope.transaction { transaction, account in
                try transaction.removeInstalled(channels, from: caller.session, of: account)
            }
            return .nothing
        })
}
