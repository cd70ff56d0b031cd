import Foundation
import Synchronization
import TestSupport

/// The events that a person's open application gets.
final class Screen: Sendable {
    struct Event: Sendable {
        var name = ""
        var id = ""
        var device: String?
        /// The value of a reading.
        var temperature: Double?
        /// The state of an episode: open or closed.
        var state: String?
    }

    private let events = Mutex<[Event]>([])

    var all: [Event] { events.withLock { $0 } }
    var temperatures: [Double] { all.compactMap(\.temperature) }
    /// The position at which a reopened screen continues.
    var position: String? { all.last?.id }

    /// Opens the stream for the length of `body`, which begins when all missed events have arrived.
    /// - Parameter position: The position of the previously open screen.
    static func with(
        _ person: PeopleClient, after position: String? = nil,
        _ body: @Sendable @escaping (Screen) async throws -> Void
    ) async throws {
        try await person.lines(of: "/live", after: position) { lines in
            let screen = Screen()
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await screen.read(lines) }
                try await awaitFact("the beginning of a stream") {
                    screen.all.contains { $0.name == "ready" } ? true : nil
                }
                try await body(screen)
            }
        }
    }

    private func read(_ lines: AsyncThrowingStream<String, any Error>) async throws {
        var event = Event()
        for try await line in lines {
            if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") {
                let data = try JSONSerialization.jsonObject(with: Data(line.utf8.dropFirst(6))) as? [String: Any]
                event.device = data?["device"] as? String
                event.temperature = (data?["values"] as? [String: Any])?["temperature"] as? Double
                event.state = data?["state"] as? String
            }
            if line.isEmpty {
                if !event.name.isEmpty { events.withLock { $0.append(event) } }
                event = Event()
            }
        }
    }

    @discardableResult
    func event(_ what: String, where isIt: @Sendable @escaping (Event) -> Bool) async throws -> Event {
        try await awaitFact("on the screen: \(what)") { [self] in all.first(where: isIt) }
    }

    func reading(_ temperature: Double) async throws {
        try await event("\(temperature)") { $0.temperature == temperature }
    }
}
