import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// What happens, while it happens.
enum LiveRoutes {
    static let all = [stream]

    private static let lastEventID = Input<Timestamp?>.optionalHeader(
        .lastEventID,
        .reading("position", example: "1777636800000000", count: 1...20, pattern: "^[0-9]+$") { text throws(Fault) in
            guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let microseconds = Int64(text)
            else { throw .pattern }
            return Timestamp(microseconds: microseconds)
        }, "The id of the last event that was received, to go on after it.")

    private static let stream = Route<Caller>(
        .get, "/live", id: "streamLive", tag: "Live", access: .read, "Stream what happens",
        text: """
            Server-sent events of all devices that the person has. `ready`: the stream has begun; read everything once, \
            then what comes is newer. `reading`: a device has sent `values`, in canonical units, newer than those before. \
            `device`: it says that it is online or not. `episode`: a parameter has left the person's range (`open`) or is \
            back (`closed`). `alert`: an alert was decided, or its deliveries ended. `resync`: read everything again.

            Events state how things are: one that comes again changes nothing. A comment comes every 15 seconds when \
            nothing else does. The stream ends when the session does, after about half an hour, and for a reader that is \
            too slow; connect again with the id of the last event in `Last-Event-ID`.
            """,
        inputs: [lastEventID], answers: .events("Events with a name, an id and one line of JSON."),
        problems: [.tooManyStreams, .noStreamLeft], limit: .stream,
        handle: { caller, inputs in
            let scope = caller.scope
            let hub = scope.services.live
            let account = try await scope.transaction { _, account in account }
            switch hub.refusal(for: account) {
            case .tooManyOfPerson: throw Problem(.tooManyStreams, retryAfter: .seconds(60))
            case .tooMany: throw Problem(.noStreamLeft, retryAfter: .seconds(60))
            case nil: break
            }
            let position = inputs[lastEventID]
            return .stream { writer in
                try await LiveStream(scope: scope, hub: hub, account: account, position: position).write(to: &writer)
            }
        })
}

/// One stream: what was missed, then what comes.
private struct LiveStream: Sendable {
    let scope: Scope
    let hub: LiveHub
    let account: Account.ID
    /// Up to where the client has heard; nil when it begins.
    let position: Timestamp?

    /// What was missed longer ago is better read anew.
    private static let longestAbsence = Duration.seconds(15 * 60)
    private static let mostMissed = 1_000
    private static let longest = Duration.seconds(30 * 60)

    func write(to writer: inout any BodyWriter) async throws {
        let queue = LiveQueue()
        let (ticket, devices) = try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let ticket = try transaction.liveTicket()
            return (ticket, try transaction.execute(FindFollowedDevices(of: [ticket])).map(\.device))
        }
        // Spread, so that those who came together do not come together again.
        let lasting = Self.longest * Double.random(in: 0.85...1.15)
        let listener = LiveBoard.Listener(
            account: account, ticket: ticket, credential: scope.credential, queue: queue, endsAt: .now + lasting)
        let number: UInt64
        do { number = try hub.join(listener, devices: Set(devices)) } catch { return }
        defer { hub.leave(number, because: queue.end) }
        // After joining, so that nothing falls between what was missed and what comes.
        for event in try await beginning(ticket) { try await writer.write(event) }
        while let events = await queue.next() { try await writer.write(events) }
    }

    private func beginning(_ ticket: LiveTicket) async throws -> [[UInt8]] {
        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let now = try transaction.execute(ReadClock()).first else { return [] }
            guard let position else { return [LiveEvent.ready.encoded(now)] }
            guard position <= now, now - position <= Self.longestAbsence else { return [LiveEvent.resync.encoded(now)] }
            let since = position - LiveBoard.overlap
            let samples = try transaction.execute(ReplaySamples(since: since, limit: Self.mostMissed + 1))
            guard samples.count <= Self.mostMissed else { return [LiveEvent.resync.encoded(now)] }
            let alerts = try transaction.execute(FindLiveAlerts(of: [ticket], since: since))
            // The old position until all of it is written: who leaves in between misses nothing.
            return samples.map { LiveEvent.reading(hardwareID: $0.hardwareID, $0.sample).encoded(position) }
                + alerts.reversed().map { LiveEvent.alert($0).encoded(position) }
                + [LiveEvent.ready.encoded(now)]
        }
    }
}

extension PostgresTransaction {
    fileprivate func liveTicket() throws -> LiveTicket {
        guard let ticket = try execute(TakeLiveTicket()).first.flatMap(\.self) else { throw Problem.invalidToken }
        return ticket
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: HTTPField.Name {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("Last-Event-ID is a field name") }
        return name
    }
}

extension ProblemType {
    fileprivate static let tooManyStreams = ProblemType(
        "too-many-streams", .tooManyRequests,
        title: Localised(
            en: "Too many screens are open", ja: "開いている画面が多すぎます", es: "Hay demasiadas pantallas abiertas"),
        detail: Localised(
            en: "A person has at most eight event streams. Close another one.",
            ja: "イベントストリームは1人8本までです。ほかの画面を閉じてください。",
            es: "Cada persona tiene como máximo ocho flujos de eventos. Cierre otro."))
    fileprivate static let noStreamLeft = ProblemType(
        "no-stream-left", .serviceUnavailable,
        title: Localised(
            en: "No event stream is left", ja: "イベントストリームに空きがありません",
            es: "No queda ningún flujo de eventos"))
}
