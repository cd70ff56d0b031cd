import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// What a person was told, and what became of it.
enum AlertRoutes {
    static let tag = API<Caller>.Tag("Alerts", "What the person was told, why, and whether it arrived.")

    static let all = [list, show]

    private static let list = Route<Caller>(
        .get, "/alerts", id: AlertInputs.listID, tag: tag.name, access: .read, "List alerts, newest first",
        text: "The filters of the first page have to be given again with each cursor.",
        inputs: [
            AlertInputs.device, AlertInputs.kind, AlertInputs.parameter, AlertInputs.state, AlertInputs.since,
            AlertInputs.until, AlertInputs.limit, AlertInputs.cursor,
        ],
        answers: .json(.ok, .page(of: ShownAlert.output)),
        handle: { caller, inputs in
            let limit = inputs[AlertInputs.limit]
            let filter = PageAlerts.Filter(
                since: inputs[AlertInputs.since], until: inputs[AlertInputs.until], device: inputs[AlertInputs.device],
                parameter: inputs[AlertInputs.parameter], state: inputs[AlertInputs.state],
                kind: inputs[AlertInputs.kind])
            let rows = try await caller.scope.transaction { transaction, account in
                try transaction.execute(
                    PageAlerts(
                        of: account, below: inputs[AlertInputs.cursor]?.place ?? .newest, filter, limit: limit + 1))
            }
            let page = Page(rows, limit: limit, of: AlertInputs.listID, key: { AlertCursor($0) })
            return .value(page.map(ShownAlert.init))
        })

    private static let show = Route<Caller>(
        .get, "/alerts/{alert}", id: "showAlert", tag: tag.name, access: .read,
        "Show an alert with its reasons and what became of it",
        inputs: [AlertInputs.alert], answers: .json(.ok, ExplainedAlert.output), problems: [.notFound],
        handle: { caller, inputs in
            .value(
                try await caller.scope.transaction { transaction, account in
                    guard let alert = try transaction.alert(inputs[AlertInputs.alert], of: account) else {
                        throw Problem(.notFound)
                    }
                    let transitions = try alert.episode.map {
                        try transaction.execute(ReadTransitions(of: $0, in: alert.key.slot))
                    }
                    return ExplainedAlert(
                        alert: ShownAlert(alert), transitions: transitions ?? [],
                        deliveries: ShownDelivery.all(of: try transaction.execute(ReadAttempts(of: alert.key))),
                        snooze: try transaction.execute(ListSnoozes(of: account)).map(ShownSnooze.init)
                            .first { $0.subject.isOf(alert) },
                        calls: try transaction.calls(of: alert.key),
                        onShift: try transaction.execute(ListToldOnShift(of: alert.key)))
                })
        })
}

extension PostgresTransaction {
    func alert(_ reference: AlertReference, of account: Account.ID) throws -> StoredAlert? {
        switch reference {
        case .uid(let uid): try execute(ReadAlert(uid, of: account)).first
        case .numbered(let key): try execute(ReadNumberedAlert(key, of: account)).first
        }
    }
}
