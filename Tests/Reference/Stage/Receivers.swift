import Foundation
import Synchronization
import TestSupport

/// The receiver of everybody's webhooks, with a path for each person. It refuses webhooks about a device while that is
/// frozen.
final class Receivers: Sendable {
    private let sink: WebhookSink
    private let refused = Mutex<Set<String>>([])

    init(_ sink: WebhookSink) {
        self.sink = sink
        sink.answer { [weak self] request in
            guard let self, let message = Message(request) else { return .status(200) }
            let isRefused = refused.withLock { $0.contains(Self.key(request.path, message.device)) }
            return .status(isRefused ? 503 : 200)
        }
    }

    private static func key(_ path: String, _ device: String) -> String { "\(path) \(device)" }

    func freeze(_ path: String, _ device: String) { _ = refused.withLock { $0.insert(Self.key(path, device)) } }
    func thaw(_ path: String, _ device: String) { _ = refused.withLock { $0.remove(Self.key(path, device)) } }

    /// The accepted messages, each once, in the order of their first arrival.
    func accepted() -> [Message] {
        var ids: Set<String> = []
        return sink.received.filter { $0.answer == .status(200) }.compactMap(Message.init).filter {
            ids.insert($0.id).inserted
        }
    }

    /// A webhook about water, with the fields of `API.md`.
    struct Message: Hashable, Sendable {
        let id: String
        let path: String
        let device: String
        let quantity: Quantity
        let kind: String
        let purpose: String
        /// The side; nil for a fault.
        let side: Side?
        let value: Double?
        let limit: Double?
        let eventTime: String
        let isCritical: Bool
        let isUnstable: Bool

        private struct Body: Decodable {
            struct Content: Decodable {
                struct Device: Decodable {
                    let id: String
                }
                let kind: String
                let device: Device?
                let parameter: String?
                let side: String?
                let value: Double?
                let limit: Double?
                let eventTime: String?
                let critical: Bool?
                let unstable: Bool?
            }
            let type: String
            let data: Content
        }

        init?(_ request: WebhookSink.Request) {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            guard let body = try? decoder.decode(Body.self, from: Data(request.body)),
                ["range", "fault"].contains(body.data.kind),
                let device = body.data.device?.id, let quantity = body.data.parameter.flatMap(Quantity.init),
                let time = body.data.eventTime,
                let id = request.header("webhook-id")
            else { return nil }
            self.id = id
            self.path = request.path
            self.device = device
            self.quantity = quantity
            self.purpose = String(body.type.dropFirst("alert.".count))
            self.side = body.data.side.flatMap(Side.init)
            self.kind = body.data.kind
            self.value = body.data.value
            self.limit = body.data.limit
            self.eventTime = time
            self.isCritical = body.data.critical ?? false
            self.isUnstable = body.data.unstable ?? false
        }

        /// The event time in milliseconds since 1970.
        var time: Int? {
            let parts = eventTime.dropLast().split(separator: ".")
            guard eventTime.hasSuffix("Z"), let whole = parts.first,
                let date = try? Date("\(whole)Z", strategy: .iso8601),
                let fraction = Double("0.\(parts.count == 2 ? parts[1] : "0")")
            else { return nil }
            return Int(date.timeIntervalSince1970) * 1000 + Int((fraction * 1000).rounded())
        }
    }
}
