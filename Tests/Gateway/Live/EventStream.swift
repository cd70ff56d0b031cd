import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Routes
import Synchronization
import TestSupport

@testable import Gateway

/// A client of `/api/v1/live`.
final class EventStream: Sendable {
    struct Event: Sendable {
        var name: String
        var id: String
        var data: JSON

        var device: String? { data["device"]?.string }
        /// The parts that a `resync` names.
        var parts: [String]? { data["parts"]?.array?.compactMap(\.string) }
        var ph: Double? { data["values"]?["ph"]?.number }
    }

    /// A client with more connections to one host than the shared one permits.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    private let events = Mutex<[Event]>([])
    private let hasEnded = Mutex(false)

    /// All events so far.
    var all: [Event] { events.withLock { $0 } }
    var isOver: Bool { hasEnded.withLock { $0 } }
    var readings: [Double] { all.filter { $0.name == "reading" }.compactMap(\.ph) }

    /// Opens a stream for the length of `body`, which runs once the stream has begun.
    static func with(
        _ gateway: GatewayUnderTest, _ person: GatewayUnderTest.Person, after id: String? = nil,
        _ body: (EventStream) async throws -> Void
    ) async throws {
        var request = HTTPClientRequest(url: gateway.url + "/api/v1/live")
        request.headers.add(name: "Authorization", value: "Bearer \(person.token)")
        if let id { request.headers.add(name: "Last-Event-ID", value: id) }
        let response = try await client.execute(request, timeout: .hours(1))
        guard response.status == .ok else { throw TestSupportError("The stream is answered with \(response.status)") }
        let stream = EventStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await stream.read(response.body) }
            defer { group.cancelAll() }
            try await stream.event("the beginning") { $0.name == "ready" || $0.name == "resync" }
            try await body(stream)
        }
    }

    private func read(_ body: HTTPClientResponse.Body) async throws {
        defer { hasEnded.withLock { $0 = true } }
        var text = ""
        for try await part in body {
            text += String(buffer: part)
            while let end = text.firstRange(of: "\n\n") {
                let block = text[..<end.lowerBound]
                var event = Event(name: "", id: "", data: .null)
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                    if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                    if line.hasPrefix("data: ") { event.data = try JSON(reading: Array(line.utf8.dropFirst(6))) }
                }
                if !event.name.isEmpty { events.withLock { $0.append(event) } }
                text = String(text[end.upperBound...])
            }
        }
    }

    @discardableResult
    func event(_ what: String, where isIt: @Sendable @escaping (Event) -> Bool) async throws -> Event {
        try await awaitFact("an event: \(what)") { [self] in all.first(where: isIt) }
    }

    func reading(_ ph: Double) async throws {
        try await event("a reading of \(ph)") { $0.ph == ph }
    }

    func end() async throws {
        try await awaitFact("the end of the stream") { [self] in isOver ? true : nil }
    }
}

extension GatewayUnderTest {
    /// Stores a device's message, taken now by a clock that is this many seconds behind, and notifies like an Ingestor.
    func store(_ ph: Double, of device: String, behind: Int = 0, isNotified: Bool = true) async throws {
        try await database.sql(
            """
            BEGIN;
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
            SELECT slot, 0, device_id, now() - interval '\(behind) s', now(), \(ph)
            FROM device WHERE hardware_id = '\(device)';
            SELECT pg_notify('reading', device_id::text) FROM device WHERE hardware_id = '\(device)' AND \(isNotified);
            COMMIT
            """)
    }

    /// Ends a person's part in a device.
    func unlink(_ device: String, from person: Person) async throws {
        try await database.sql(
            """
            UPDATE ownership o SET unlinked_at = now() FROM device d
            WHERE d.device_id = o.device_id AND d.hardware_id = '\(device)' AND o.account_id = \(person.account)
                AND o.unlinked_at IS NULL
            """)
    }
}
