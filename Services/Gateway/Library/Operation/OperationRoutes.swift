import HTTPTypes
import People
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of operators: how the installation does, and who and what is in it. Nobody's water.
enum OperationRoutes {
    static let all = [show, accounts, devices, changes, signOut]
    static let tag = API<Caller>.Tag(
        "Operation",
        "What the operators of the installation see of it: neither readings nor limits, names of tanks or journals. For anybody else there is nothing here."
    )

    private static let isReading = TransactionOptions(isReadOnly: true)

    private static let show = Route<Caller>(
        .get, "/operation", id: "showOperation", tag: tag.name, access: .fresh, "Show how the installation does",
        text: """
            What waits and for how long, how many people and devices there are, what was not taken and what was delivered, and what the doctor \
            found when it last looked (`aqua doctor --record`).
            """,
        answers: .json(.ok, OperationOutput.operation), problems: [.notFound], limit: .heavy
    ) { caller, _ in
        let session = caller.session
        return .value(
            try await caller.scope.transaction(isReading) { transaction, _ in
                try transaction.requireOperator(session)
                return OperationOutput.Operation(
                    figures: try transaction.execute(ReadOperationFigures())[0],
                    tallies: try transaction.execute(ReadOperationTallies()),
                    doctor: try transaction.execute(ReadOperationFindings())[0])
            })
    }

    private static let email = Input<String?>.optionalQuery(
        "email", Format<String>.text(1...254).example("ada@"), "Only addresses that begin so.")
    private static let accountCursor = Input.cursor(of: "listOperatedAccounts", String.self)
    private static let limit = Input<Int>.limit(1...200, default: 50)

    private static let accounts = Route<Caller>(
        .get, "/operation/accounts", id: "listOperatedAccounts", tag: tag.name, access: .fresh, "List people",
        text: "By their addresses. The filter of the first page has to be given again with each cursor.",
        inputs: [email, accountCursor, limit], answers: .json(.ok, .page(of: OperationOutput.account)),
        problems: [.notFound]
    ) { caller, inputs in
        let (session, limit) = (caller.session, inputs[limit])
        let page = OperationPage(begins: inputs[email] ?? "", after: inputs[accountCursor] ?? "", limit: limit + 1)
        let rows = try await caller.scope.transaction(isReading) { transaction, _ in
            try transaction.requireOperator(session)
            return try transaction.execute(ListOperatedAccounts(page))
        }
        return .value(Page(rows, limit: limit, of: "listOperatedAccounts", key: \.email))
    }

    private static let id = Input<String?>.optionalQuery(
        "id", Format<String>.text(1...32).example("pond"), "Only ids that begin so.")
    private static let deviceCursor = Input.cursor(of: "listOperatedDevices", String.self)

    private static let devices = Route<Caller>(
        .get, "/operation/devices", id: "listOperatedDevices", tag: tag.name, access: .fresh, "List devices",
        text: "By their ids. The filter of the first page has to be given again with each cursor.",
        inputs: [id, deviceCursor, limit], answers: .json(.ok, .page(of: OperationOutput.device)),
        problems: [.notFound]
    ) { caller, inputs in
        let (session, limit) = (caller.session, inputs[limit])
        let page = OperationPage(begins: inputs[id] ?? "", after: inputs[deviceCursor] ?? "", limit: limit + 1)
        let rows = try await caller.scope.transaction(isReading) { transaction, _ in
            try transaction.requireOperator(session)
            return try transaction.execute(ListOperatedDevices(page))
        }
        return .value(Page(rows, limit: limit, of: "listOperatedDevices", key: \.device))
    }

    private static let account = Input<EmailAddress?>.optionalQuery(
        "account", .emailAddress, "Only what concerns this person, or was done by them.")
    private static let changesCursor = Input.cursor(of: "listOperatedChanges", Int64.self)

    private static let changes = Route<Caller>(
        .get, "/operation/audit", id: "listOperatedChanges", tag: tag.name, access: .fresh,
        "List what was changed, by whom",
        text: """
            Everybody's, the newest first. Of limits, devices, alarms and whatever else is of the water it tells that something was done, by \
            whom and for which device: no names, values or parameters. The filters of the first page have to be given again with each cursor.
            """,
        inputs: [account, AuditRoutes.device, AuditRoutes.action, changesCursor, limit],
        answers: .json(.ok, .page(of: .auditEntry)), problems: [.notFound], limit: .heavy
    ) { caller, inputs in
        let (session, limit, before) = (caller.session, inputs[limit], inputs[changesCursor])
        let filter = PageAudit.Filter(device: inputs[AuditRoutes.device], action: inputs[AuditRoutes.action])
        let email = inputs[account]?.text
        let rows = try await caller.scope.transaction(isReading) { transaction, _ in
            try transaction.requireOperator(session)
            return try transaction.execute(
                PageOperationChanges(before: before, filter: filter, account: email, limit: limit + 1))
        }
        return .value(Page(rows, limit: limit, of: "listOperatedChanges", key: \.entry.number))
    }

    private static let person = Input.field("email", Format<EmailAddress>.emailAddress, "The person's address.")

    private static let signOut = Route<Caller>(
        .post, "/operation/sign-out", id: "signPersonOut", tag: tag.name, access: .fresh,
        "Sign a person out everywhere",
        text: """
            As when somebody else may be in a session of theirs. Their alerts go on, on every way that they have, and their personal tokens stay \
            valid. Their log of changes says that an operator did it.
            """,
        inputs: [person], answers: .json(.ok, OperationOutput.ended), problems: [.notFound]
    ) { caller, inputs in
        let (session, email) = (caller.session, inputs[person].text)
        let ended = try await caller.scope.transaction { transaction, _ in
            try transaction.requireOperator(session)
            return try transaction.execute(EndSessionsAsOperator(email: email))[0]
        }
        guard let ended else { throw Problem(.notFound) }
        return .value(Int(ended))
    }
}

extension PostgresTransaction {
    /// - Throws: `Problem(.notFound)` where the person of the session does not operate: for them there is nothing here.
    fileprivate func requireOperator(_ session: SessionID?) throws {
        guard let session, try execute(Operates(in: session)) == [true] else { throw Problem(.notFound) }
    }
}
