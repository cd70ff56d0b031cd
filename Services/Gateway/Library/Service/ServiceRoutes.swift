import HTTPTypes
import Routes
import ServiceKit

/// Routes that a client may call before it knows anything.
enum ServiceRoutes {
    static let all = [about]

    private struct About: Sendable {
        let signUp: SignUp
        let resetsPasswords: Bool
        let takesPasswords: Bool
        let provider: String?
    }

    private static let about = Route<Caller>(
        .get, "/service", id: "showService", tag: "Service", access: .anyone, "Show what this service is",
        text: "Its version, and who may open an account.",
        answers: .json(
            .ok,
            .object(
                "Service", "This service.",
                [
                    .member("name", .text, "Always AquaMonitor.", example: "AquaMonitor") { _ in "AquaMonitor" },
                    .member("version", .text, "The version of the program.", example: "1.0.0") { _ in Build.version },
                    .member("signUp", .choice(SignUp.self), "Who may open an account.", example: "invitation") {
                        $0.signUp
                    },
                    .member(
                        "resetsPasswords", .boolean, "Whether a forgotten password can be set anew by e-mail.",
                        example: true
                    ) { $0.resetsPasswords },
                    .member("takesPasswords", .boolean, "Whether passwords let people in.", example: true) {
                        $0.takesPasswords
                    },
                    .member(
                        "provider", .optional(of: .text),
                        "What people call the provider by which they sign in, at `/oidc/sign-in`; null where there is none.",
                        example: "Koi Club"
                    ) { $0.provider },
                ])),
        handle: { caller, _ in
            let services = caller.scope.services
            return .value(
                About(
                    signUp: services.takesPasswords ? services.signUp : .closed,
                    resetsPasswords: services.hasMail && services.takesPasswords,
                    takesPasswords: services.takesPasswords, provider: services.provider?.settings.name))
        })
}
