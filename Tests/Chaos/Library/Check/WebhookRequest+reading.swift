import Foundation
import TestSupport

extension WebhookRequest {
    /// One moment by the receiver's clock and by the one that all others share.
    struct Clocks: Sendable {
        let monotonic = ContinuousClock.now
        let wall = wallClock()
    }

    init(_ request: WebhookSink.Request, at endpoint: RoundRecord.Endpoint, _ clocks: Clocks) throws {
        struct Body: Decodable {
            struct Content: Decodable {
                let alertId: String
                let collapseKey: String
            }
            let data: Content
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let content = try decoder.decode(Body.self, from: Data(request.body)).data
        let outcome: Outcome =
            switch request.answer {
            case .status(let code, _, _): (200...299).contains(code) ? .accepted : .refused
            case .hang, .close: .unanswered
            case .refuse, .goAway: .refused
            }
        self.init(
            endpoint: endpoint, id: request.header("webhook-id") ?? "", alert: content.alertId,
            collapseKey: content.collapseKey, at: clocks.wall + (request.received - clocks.monotonic).microseconds,
            outcome: outcome)
    }
}
