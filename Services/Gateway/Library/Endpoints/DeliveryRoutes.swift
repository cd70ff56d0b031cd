import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes about what an endpoint took of a person's alerts.
enum DeliveryRoutes {
    static let all = [show, sendAgain]

    private static let show = Route<Caller>(
        .get, "/endpoints/{endpoint}/deliveries", id: "showEndpointDeliveries", tag: EndpointRoutes.tag.name,
        access: .read, "Show what an endpoint took lately",
        text: "Of the last seven days: how many messages it took in each six hours, and which alerts it did not.",
        inputs: [EndpointInputs.endpoint], answers: .json(.ok, EndpointDeliveries.output), problems: [.notFound],
        handle: { caller, inputs in
            let endpoint = inputs[EndpointInputs.endpoint]
            let now = caller.scope.services.clock.now()
            return .value(
                try await caller.scope.transaction { transaction, account in
                    _ = try transaction.endpoint(endpoint, of: account)
                    let recent = RecentDeliveries(to: endpoint, of: account, until: now)
                    return EndpointDeliveries(
                        until: now, counts: try transaction.execute(CountEndpointDeliveries(recent)),
                        untaken: try transaction.execute(ListUntakenAlerts(recent)),
                        sendable: try transaction.execute(FindSendableAgain(recent)).count)
                })
        })

    private static let begun = Output<Int>.object(
        "AlertsSentAgain", "Alerts on their way once more.",
        [.member("sent", .integer, "How many; none where nothing is left to be sent again.", example: 2) { $0 }])

    private static let sendAgain = Route<Caller>(
        .post, "/endpoints/{endpoint}/deliveries", id: "sendAlertsAgain", tag: EndpointRoutes.tag.name, access: .write,
        "Send again what an endpoint did not take",
        text:
            "Of its last day, the last alarm or reminder of each alarm that goes on, \(FindSendableAgain.most) at most, whoever else got it: the "
            + "same alert, with the same id. What is over is not sent, nor what is on its way already. At most \(mostSent) in ten minutes.",
        inputs: [EndpointInputs.endpoint], answers: .json(.accepted, begun), problems: [.notFound, .noEndpoint],
        handle: { caller, inputs in
            let endpoint = inputs[EndpointInputs.endpoint]
            let now = caller.scope.services.clock.now()
            return .value(
                try await caller.scope.transaction { transaction, account in
                    _ = try transaction.endpoint(endpoint, of: account)
                    let recent = RecentDeliveries(to: endpoint, of: account, until: now)
                    let alerts = try transaction.execute(FindSendableAgain(recent))
                    let sending = SendAgain(alerts, to: endpoint, of: account, most: mostSent)
                    guard let row = try transaction.execute(sending).first else { throw Problem(.internalError) }
                    switch row.outcome {
                    case .sent: return Int(row.sent)
                    case .nowhere: throw Problem(.noEndpoint)
                    case .tooMany: throw Problem(.tooManyRequests, retryAfter: .seconds(60))
                    }
                })
        })

    /// Most alerts that a person has sent again in ten minutes.
    private static let mostSent: Int32 = 10
}
