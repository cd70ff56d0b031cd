import HTTPTypes
import Postgres
import PushTargets
import Routes
import Store
import WaterQuality

extension SessionRoutes {
    private static let session = Input<SessionID>.path("session", .id, "The id of the session.")

    private static let item = Output<ListMadeInSession.Made>.object(
        "MadeInSession", "Something that goes on after the session in which it was made.",
        [
            .member(
                "kind", .choice(ListMadeInSession.Kind.self),
                "endpoint: alerts go there; token: acts for the person; identity: lets somebody in; invitation: can be taken up; watcher: took one up; member: takes part in a project; "
                    + "projectInvitation: can be taken up; change: of an "
                    + "endpoint, in what form it is told, of what and when",
                example: "endpoint"
            ) { $0.kind },
            .member(
                "name", .text,
                "The host of an endpoint, a token's name, the device or the project of an invitation, a watcher's or a member's name.",
                example: "alerts.example.org"
            ) { [.endpoint, .change].contains($0.kind) ? PushTarget.shownHost(of: $0.name) : $0.name },
            .member("createdAt", .timestamp, "When it was made.") { $0.createdAt },
        ])

    static let made = Route<Caller>(
        .get, "/sessions/{session}/made", id: "listMadeInSession", tag: tag, access: .session,
        "List what outlives a session",
        text: """
            What was made in it and goes on when it ends, the newest first. Also of a session that has ended lately. Personal tokens \
            can make nothing that outlives them.
            """,
        inputs: [session], answers: .json(.ok, .list(of: item)), problems: [.notFound]
    ) { caller, inputs in
        let session = inputs[session]
        let rows = try await caller.scope.transaction { transaction, account in
            try transaction.execute(ListMadeInSession(session, of: account))
        }
        guard !rows.isEmpty else { throw Problem(.notFound) }
        return .value(rows.compactMap(\.self))
    }

    static let undo = Route<Caller>(
        .post, "/sessions/{session}/undo", id: "undoSession", tag: tag, access: .fresh,
        "End a session and take back what was made in it",
        text: """
            For when it was not you: endpoints and tokens that were made in it are removed, invitations are taken back, and whoever \
            took one up watches no longer. Endpoints of before that were changed in it are as they were. Sessions that were opened by an identity that was \
            linked in it go the same way, and whatever follows from those; none of them can ask for it. Change the password as well if somebody else may know it.
            """,
        inputs: [session], answers: .nothing, problems: [.notFound, .sessionFollows]
    ) { caller, inputs in
        let session = inputs[session]
        let isUndone = try await caller.scope.transaction { transaction, account in
            try transaction.execute(UndoSession(session, of: account))[0]
        }
        guard let isUndone else { throw Problem(.sessionFollows) }
        guard isUndone else { throw Problem(.notFound) }
        return .nothing
    }
}
