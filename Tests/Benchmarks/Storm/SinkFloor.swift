import Mail
import Synchronization
import TestSupport

/// The rate of the receiver alone: messages from the Notifier's client library, without their preparation and recording.
struct SinkFloor: Sendable {
    let kind: PushKind
    let hosts: Int

    private static let requests = 20_000
    private static let mails = 5_000
    private static let atOnce = 32

    /// - Returns: Messages a second.
    func rate() async throws -> Double {
        step("Measuring what the receiver alone takes")
        switch kind.standIn.receiver {
        // What the request is about makes no difference to HTTP/2.
        case .web:
            return try await measure(Self.requests, of: .webhook) { sink, send in
                guard let authorityFile = sink.authorityFile else { throw TestSupportError("The receiver has no TLS") }
                return try await Poster.with(authorityFile: authorityFile) { poster in
                    try await send { number in
                        try await poster.post(to: Webhooks.url(of: number, at: sink.origin(of: number)))
                    }
                }
            }
        case .mail:
            return try await measure(Self.mails, of: kind) { sink, send in
                let poster = try MailPoster(sink.origins[0])
                return try await send { try await poster.post(to: $0) }
            }
        }
    }

    private typealias Send = (@Sendable @escaping (_ number: Int) async throws -> Void) async throws -> Duration

    /// - Parameter body: Sends as many messages by way of a closure that sends one, and returns how long it took.
    private func measure(
        _ count: Int, of kind: PushKind, _ body: (PushSink, Send) async throws -> Duration
    ) async throws -> Double {
        let arrived = Atomic(0)
        return try await PushSink.with(kind, hosts: hosts) { _ in
            arrived.add(1, ordering: .relaxed)
        } body: { sink in
            let took = try await body(sink) { one in
                try await ContinuousClock().measure { try await Self.send(count, one) }
            }
            guard arrived.load(ordering: .relaxed) == count else {
                throw TestSupportError("The receiver took \(arrived.load(ordering: .relaxed)) messages only")
            }
            return Double(count) / (took / .seconds(1))
        }
    }

    private static func send(
        _ count: Int, _ one: @Sendable @escaping (_ number: Int) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<atOnce {
                group.addTask {
                    for number in stride(from: worker, to: count, by: atOnce) { try await one(number) }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// Sends mails with the Notifier's client, over as many connections as it has.
private struct MailPoster: Sendable {
    private let client: MailClient

    /// A text about as long as an alert's.
    private static let text = String(repeating: "x", count: 700)

    /// - Parameter url: The mail server's.
    init(_ url: String) throws {
        guard let port = url.split(separator: ":").last.flatMap({ Int($0) }),
            let sender = MailSender("bench@example.org")
        else { throw TestSupportError("\(url) is no mail server") }
        client = MailClient(MailServer(host: "127.0.0.1", port: port, encryption: .none, sender: sender))
    }

    /// Returns when the answer has come.
    func post(to mailbox: Int) async throws {
        guard let address = MailAddress(Mailboxes.address(of: mailbox)) else { throw TestSupportError("No address") }
        let reply = await client.send(
            MailMessage(
                to: address, id: "bench-\(mailbox)", language: "en", title: "Water too warm", text: Self.text, time: 0))
        guard reply == .accepted else { throw TestSupportError("The mail server answers \(reply)") }
    }
}
