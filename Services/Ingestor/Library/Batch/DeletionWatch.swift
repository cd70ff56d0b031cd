import DatabaseHealth
import Logging
import Postgres
import ServiceKit
import Store

/// Hears of readings that are deleted, in every Ingestor: a standby stores readings that come over HTTP.
struct DeletionWatch: Sendable {
    let log = DeletionLog()
    private let listener: PostgresListener

    init(_ database: PostgresConfiguration, logger: Logger) {
        let outage = OutageLog(subject: "listening for deleted readings", logger: logger)
        listener = PostgresListener(
            database, channels: [Channel.display], payloadLimit: DeletionLog.most,
            onConnectFailure: { outage.failed(because: $0.explanation) }, onReconnect: outage.succeeded)
    }

    func run() async throws {
        try await listener.withEvents { events in
            for await event in events {
                switch event {
                case .notified(_, let payload):
                    if case .anew(let device) = DisplayNotice(payload: payload) { log.note(device) }
                case .overflow, .mayHaveMissed: log.noteAll()
                }
            }
        }
    }
}
