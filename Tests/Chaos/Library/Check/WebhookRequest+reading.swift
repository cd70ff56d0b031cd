import Crypto
import Foundation
import TestSupport

extension WebhookRequest {
    /// The same moment on the receiver's clock and on the clock that everything else shares.
    struct Clocks: Sendable {
        let monotonic = ContinuousClock.now
        let wall = wallClock()
    }

    private struct Body: Decodable {
        struct Content: Decodable {
            struct Device: Decodable {
                let id: String
            }
            let alertId: String
            let collapseKey: String
            let title: String
            let device: Device
            let parameter: String
            let side: String
            let value: Double
            let limit: Double
            let unit: String
            let eventTime: String
        }
        let type: String
        let data: Content
    }

    /// - Parameter secrets: The endpoint's webhook secrets, one from each time it was added.
    init(
        _ request: WebhookSink.Request, at endpoint: RoundRecord.Endpoint, secrets: [String], _ clocks: Clocks
    ) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(Body.self, from: Data(request.body))
        let content = body.data
        let outcome: Outcome =
            switch request.answer {
            case .status(let code, _, _), .body(_, let code, _, _), .reset(let code):
                (200...299).contains(code) ? .accepted : .refused
            case .challenge, .flood, .stall: .accepted
            case .hang, .close: .unanswered
            case .refuse, .goAway: .refused
            }
        self.init(
            endpoint: endpoint, id: request.header("webhook-id") ?? "", alert: content.alertId,
            collapseKey: content.collapseKey, at: clocks.wall + (request.received - clocks.monotonic).microseconds,
            outcome: outcome,
            message: ToldMessage(
                purpose: String(body.type.dropFirst("alert.".count)), device: content.device.id,
                parameter: content.parameter, side: content.side, value: try Self.tenths(content.value),
                limit: try Self.tenths(content.limit), unit: content.unit, title: content.title,
                eventTime: try microseconds(of: content.eventTime)),
            isGenuine: secrets.contains { Self.isGenuine(request, secret: $0) })
    }

    private static func tenths(_ value: Double) throws -> Int {
        let tenths = (value * 10).rounded()
        guard abs(value * 10 - tenths) < 0.001 else { throw TestSupportError("\(value) has more than one decimal") }
        return Int(tenths)
    }

    /// Verifies a Standard Webhooks signature without the product's code.
    private static func isGenuine(_ request: WebhookSink.Request, secret: String) -> Bool {
        guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count))),
            let id = request.header("webhook-id"), let timestamp = request.header("webhook-timestamp"),
            let signatures = request.header("webhook-signature")
        else { return false }
        let signed = Data("\(id).\(timestamp).".utf8) + request.body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
        return signatures.split(separator: " ").contains { $0 == "v1,\(Data(code).base64EncodedString())" }
    }
}
