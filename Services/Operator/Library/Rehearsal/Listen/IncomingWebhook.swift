import HTTPTypes
import WaterQuality

/// A request as it came: nothing of it is believed yet.
struct IncomingWebhook: Hashable, Sendable {
    var id: String?
    var timestamp: String?
    var signatures: String?
    var body: [UInt8]

    init(id: String?, timestamp: String?, signatures: String?, body: [UInt8]) {
        self.id = id
        self.timestamp = timestamp
        self.signatures = signatures
        self.body = body
    }

    init(headers: HTTPFields, body: [UInt8]) {
        self.init(
            id: HTTPField.Name("webhook-id").flatMap { headers[$0] },
            timestamp: HTTPField.Name("webhook-timestamp").flatMap { headers[$0] },
            signatures: HTTPField.Name("webhook-signature").flatMap { headers[$0] }, body: body)
    }
}

/// The ids that came lately, so that a repetition is seen; bounded.
struct RecentIDs: Sendable {
    private var known: Set<String> = []
    private var order: [String] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int = 10_000) { self.limit = limit }

    /// - Returns: Whether the id came before.
    mutating func insert(_ id: String) -> Bool {
        guard known.insert(id).inserted else { return true }
        if order.count < limit {
            order.append(id)
        } else {
            known.remove(order[oldest])
            order[oldest] = id
            oldest = (oldest + 1) % limit
        }
        return false
    }
}
