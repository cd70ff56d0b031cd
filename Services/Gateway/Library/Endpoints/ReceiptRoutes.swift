import HTTPTypes
import Postgres
import Routes
import Store

/// The route by which a browser's worker, or an app, tells that a message has arrived.
enum ReceiptRoutes {
    static let all = [arrived]

    // In the body, because URLs are written to logs.
    private static let token = Input.field("token", .secret(1...128), "What the message holds as its receipt.")

    private static let arrived = Route<Caller>(
        .post, "/receipts", id: "noteArrival", tag: EndpointRoutes.tag.name, access: .anyone,
        "Say that a message has arrived",
        text: "By the token of the message, within a day and without signing in: nothing else can be done with it.",
        inputs: [token], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let statement = NoteArrival(token: inputs[token])
        let isKnown = try await caller.scope.anonymousTransaction { try $0.execute(statement) == [true] }
        guard isKnown else { throw Problem(.notFound) }
        return .nothing
    }
}
