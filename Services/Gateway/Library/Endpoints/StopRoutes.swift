import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store

/// The route by which mail programs, and people, end alerts by mail.
enum StopRoutes {
    static let all = [stop]

    private static let link = Input<String>.path(
        "link", .text(1...512, pattern: "^[!-~]+$", example: String(repeating: "A", count: 128)),
        "What the link holds.")

    private static let stop = Route<Caller>(
        .post, "/unsubscriptions/{link}", id: "endMails", tag: EndpointRoutes.tag.name, access: .anyone,
        "End alerts by mail",
        text:
            "By the link of a mail, without signing in: nothing else can be done with it. The answer is the same where they "
            + "have ended. Mail programs post it by themselves when a person asks them to (RFC 8058), with a body that is not "
            + "looked at.",
        inputs: [link], answers: .nothing, problems: [.notFound],
        handle: { caller, inputs in
            let keys = caller.scope.services.secretKeys.renewed()
            guard let token = SealedLink.stop.token(of: inputs[link], openedWith: keys) else {
                throw Problem(.notFound)
            }
            let statement = StopEndpoint(token: token)
            let isKnown = try await caller.scope.anonymousTransaction { try $0.execute(statement) == [true] }
            guard isKnown else { throw Problem(.notFound) }
            return .nothing
        }
    ).ignoringBody()
}
