import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

extension SessionRoutes {
    private struct Shown: Sendable {
        let row: ListSessions.Row
        let isThis: Bool
    }

    private static let shown = Output<Shown>.object(
        "Session", "A person's stay on one client.",
        [
            .member("id", .id, "The id of the session.") { $0.row.session },
            .member("client", .text, "How the client calls itself.", example: "Mozilla/5.0 (iPhone)") { $0.row.client },
            .member(
                "name", .optional(of: .text), "What people call the client; null where it says nothing of itself.",
                example: "Safari · iPhone"
            ) { ClientName.of($0.row.client) },
            .member("network", .text, "Where it was last used from.", example: "203.0.113.7/32") { $0.row.address },
            .member("createdAt", .timestamp, "When the person signed in.") { $0.row.createdAt },
            .member("usedAt", .timestamp, "When it was last used, to within ten minutes.") { $0.row.usedAt },
            .member("isThis", .boolean, "Whether it is the session that asks.") { $0.isThis },
        ])

    static let list = Route<Caller>(
        .get, "/sessions", id: "listSessions", tag: tag, access: .session, "List sessions",
        text: "Where the person is signed in, the session used last first.",
        answers: .json(.ok, .list(of: shown))
    ) { caller, _ in
        let own = caller.session
        return .value(
            try await caller.scope.transaction { transaction, account in
                try transaction.execute(ListSessions(of: account)).map { Shown(row: $0, isThis: $0.session == own) }
            })
    }

    private static let session = Input<SessionID>.path("session", .id, "The id of the session.")

    static let end = Route<Caller>(
        .delete, "/sessions/{session}", id: "endSession", tag: tag, access: .fresh, "End a session",
        text: "Signs a client out, this one or another. The endpoints that were registered there are paused.",
        inputs: [session], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let session = inputs[session]
        let ended = try await caller.scope.transaction { transaction, account in
            try transaction.execute(EndSessions(of: account, .only(session))).first
        }
        guard let ended, ended > 0 else { throw Problem(.notFound) }
        return .nothing
    }

    private static let keepsThis = Input.query(
        "keepThis", Format<Bool>.boolean, default: false, "Whether the session that asks goes on.")

    static let endAll = Route<Caller>(
        .delete, "/sessions", id: "endSessions", tag: tag, access: .fresh, "Sign out everywhere",
        text: "Ends all sessions of the person, or all but the one that asks. Personal tokens stay valid.",
        inputs: [keepsThis], answers: .nothing
    ) { caller, inputs in
        let own = caller.session
        let choice: EndSessions.Choice = inputs[keepsThis] ? own.map { .allBut($0) } ?? .all : .all
        _ = try await caller.scope.transaction { transaction, account in
            try transaction.execute(EndSessions(of: account, choice))
        }
        return .nothing
    }
}
