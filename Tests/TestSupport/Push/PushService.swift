import Foundation
import NIOCore
import Synchronization

/// A push service of browsers: a receiver takes the messages of application servers (RFC 8030), and browsers that speak Mozilla's
/// protocol fetch them over a WebSocket.
///
/// ```
/// try await PushService.with(sink) { push in
///     // dom.push.serverURL = push.url
/// }
/// ```
package final class PushService: Sendable {
    /// Everything that has happened so far.
    package struct Record: Sendable {
        /// The accepted messages, in order.
        package var accepted: [PushedMessage] = []
        package var refusals: [String] = []
        /// The browsers' codes for the messages that reached them: 100 for a delivered one.
        package var acknowledged: [Int] = []
        /// The live subscriptions.
        package var subscriptions = 0
        /// The connected browsers.
        package var browsers = 0
    }

    private struct Subscription {
        let channelID: String
        let agent: String
        let vapidKey: [UInt8]
        var isOver = false
    }

    private struct Pending {
        let version: String
        let subscription: Subscription
        let message: PushedMessage
        let expires: Date
    }

    private struct Book {
        var record = Record()
        /// Subscriptions by the last step of their path.
        var subscriptions: [String: Subscription] = [:]
        /// The browsers by the name that this service gave them, with their connection; nil for one that is away.
        var agents: [String: (any Channel)?] = [:]
        var pending: [Pending] = []
    }

    /// The address for browsers: `ws://127.0.0.1:12345/`.
    package let url: String
    private let sink: WebhookSink
    private let book = Mutex(Book())

    private init(_ sink: WebhookSink, port: Int) {
        self.sink = sink
        url = "ws://127.0.0.1:\(port)/"
    }

    /// Serves while `body` runs.
    /// - Parameter sink: Receives the messages; it must speak HTTP/2.
    package static func with<Result>(
        _ sink: WebhookSink, _ body: (PushService) async throws -> Result
    ) async throws -> Result {
        let listener = try await PushSocket.listen()
        let service = PushService(sink, port: listener.port)
        listener.handler.withLock { $0 = service }
        sink.answer(by: { [weak service] request in service?.take(request) ?? .status(503) })
        do {
            let result = try await body(service)
            try await listener.channel.close()
            return result
        } catch {
            try? await listener.channel.close()
            throw error
        }
    }

    package var record: Record {
        book.withLock { book in
            var record = book.record
            record.subscriptions = book.subscriptions.values.count { !$0.isOver }
            record.browsers = book.agents.values.count { $0 != nil }
            return record
        }
    }

    /// Forgets every browser, as a push service does after a long absence; a browser that reconnects subscribes anew.
    package func forget() {
        let channels = book.withLock { book in
            for token in book.subscriptions.keys { book.subscriptions[token]?.isOver = true }
            defer { book.agents = [:] }
            book.pending = []
            return book.agents.values.compactMap(\.self)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    // MARK: Application servers

    private func take(_ request: WebhookSink.Request) -> WebhookSink.Answer {
        let token = String(request.path.split(separator: "/").last ?? "")
        let (answer, delivery): (WebhookSink.Answer, (Pending, any Channel)?) = book.withLock { book in
            guard let subscription = book.subscriptions[token] else { return (.status(404), nil) }
            guard !subscription.isOver else { return (.status(410), nil) }
            do throws(PushedMessage.Refusal) {
                let message = try PushedMessage(
                    request, origin: "https://127.0.0.1:\(sink.port)", vapidKey: subscription.vapidKey)
                book.record.accepted.append(message)
                let pending = Pending(
                    version: UUID().uuidString, subscription: subscription, message: message,
                    expires: .now + TimeInterval(message.ttl))
                // An earlier message of the same topic that was not delivered yet is replaced (RFC 8030, section 5.4).
                book.pending.removeAll {
                    $0.message.topic == message.topic && $0.subscription.channelID == subscription.channelID
                }
                book.pending.append(pending)
                let channel = book.agents[subscription.agent] ?? nil
                return (
                    .status(201, location: "https://127.0.0.1:\(sink.port)/m/\(pending.version)"),
                    channel.map { (pending, $0) }
                )
            } catch {
                book.record.refusals.append(error.description)
                return (.body(error.description, status: error.status), nil)
            }
        }
        if let (pending, channel) = delivery { PushSocket.send(Self.notification(of: pending), over: channel) }
        return answer
    }

    private static func notification(of pending: Pending) -> PushSocket.Said {
        PushSocket.Said(
            messageType: "notification", channelID: pending.subscription.channelID, version: pending.version,
            data: Base64URL.text(pending.message.body), headers: ["encoding": "aes128gcm"])
    }

    // MARK: Browsers

    /// Handles a browser's message, and answers.
    func hear(_ said: PushSocket.Heard, from channel: any Channel) {
        for answer in book.withLock({ Self.answers(to: said, from: channel, at: sink, &$0) }) {
            PushSocket.send(answer, over: channel)
        }
    }

    private static func answers(
        to said: PushSocket.Heard, from channel: any Channel, at sink: WebhookSink, _ book: inout Book
    ) -> [PushSocket.Said] {
        switch said.messageType {
        case "hello": return greetings(said, channel, &book)
        case "register": return [registration(said, channel, sink, &book)]
        case "unregister":
            for (token, subscription) in book.subscriptions where subscription.channelID == said.channelID {
                book.subscriptions[token]?.isOver = true
            }
            return [PushSocket.Said(messageType: "unregister", channelID: said.channelID, status: 200)]
        case "ack":
            for update in said.updates ?? [] {
                book.record.acknowledged.append(update.code)
                book.pending.removeAll { $0.version == update.version }
            }
            return []
        case "nack":
            // The service worker failed.
            book.record.acknowledged.append(said.code ?? 0)
            return []
        case nil: return [PushSocket.Said()]
        default: return []
        }
    }

    private static func greetings(
        _ said: PushSocket.Heard, _ channel: any Channel, _ book: inout Book
    ) -> [PushSocket.Said] {
        let known = said.uaid.flatMap { book.agents.keys.contains($0) ? $0 : nil }
        let agent = known ?? UUID().uuidString
        book.agents[agent] = channel
        let hello = PushSocket.Said(
            messageType: "hello", status: 200, uaid: agent, useWebPush: true, broadcasts: [:])
        let missed = book.pending.filter { $0.subscription.agent == agent && $0.expires > .now }
        return [hello] + missed.map(notification)
    }

    private static func registration(
        _ said: PushSocket.Heard, _ channel: any Channel, _ sink: WebhookSink, _ book: inout Book
    ) -> PushSocket.Said {
        guard let agent = book.agents.first(where: { $0.value === channel })?.key, let channelID = said.channelID,
            let key = said.key.flatMap(Base64URL.bytes), key.count == 65
        else {
            book.record.refusals.append("a browser subscribes without a key, or before it greets")
            return PushSocket.Said(messageType: "register", channelID: said.channelID, status: 401)
        }
        let token = UUID().uuidString
        book.subscriptions[token] = Subscription(channelID: channelID, agent: agent, vapidKey: key)
        return PushSocket.Said(
            messageType: "register", channelID: channelID, status: 200, pushEndpoint: sink.url(path: "/push/\(token)"))
    }

    /// Handles the end of a browser's connection.
    func leave(_ channel: any Channel) {
        book.withLock { book in
            for (agent, one) in book.agents where one === channel { book.agents[agent] = .some(nil) }
        }
    }
}
