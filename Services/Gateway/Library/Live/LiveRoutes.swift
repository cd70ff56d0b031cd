import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of live events.
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
            back (`closed`); its `kind` is `range`. `trouble`: an episode of another `kind` has begun (`open`) or is over \
            (`closed`): `silence`, of the device where `parameter` is null; `fault`, `rate`, `ahead`. `alert`: an alert was \
            decided, or its deliveries ended. `intake`: whether readings are taken as they come; while they are not, `lateSince` \
            tells since when, and the last values are not how the water is now. `resync`: read everything again; with `parts`, \
            only these have changed: `settings` (also the account), `devices` (also their parameters, last values and snoozes), \
            `parameters`, `snoozes`, `calls` or `journal`.

            Events state how things are: one that comes again changes nothing. A comment comes every 15 seconds when \
            nothing else does. The stream ends when the session does, after about half an hour, and for a reader that is \
            too slow; connect again with the id of the last event in `Last-Event-ID`.
            """,
        inputs: [lastEventID], answers: .events("Events with a name, an id and one line of JSON."),
        problems: [.tooManyStreams, .noStreamLeft], limit: .stream,
        handle: { caller, inputs in
            let scope = caller.scope
            let account = try await scope.transaction { _, account in account }
            let stream: LiveStream
            do {
                stream = try await LiveStream(scope: scope, account: account, position: inputs[lastEventID])
            } catch let refusal as LiveBoard.Refusal {
                throw Problem(refusal == .tooMany ? .noStreamLeft : .tooManyStreams, retryAfter: .seconds(60))
            }
            return .stream { writer in try await stream.write(to: &writer) }
        })
}

/// One stream: first the missed events, then live ones.
private struct LiveStream: Sendable {
    private let scope: Scope
    private let ticket: LiveTicket
    /// The position up to which the client has heard; nil for a new client.
    private let position: Timestamp?
    private let place: LivePlace

    /// Longest absence that is made up for; after a longer one everything is better read anew.
    private static let longestAbsence = Duration.seconds(15 * 60)
    private static let mostMissed = 1_000
    private static let longest = Duration.seconds(30 * 60)

    /// Takes a place before the answer begins, so that the lack of one is answered with a problem.
    /// - Throws: `LiveBoard.Refusal`.
    init(scope: Scope, account: Account.ID, position: Timestamp?) async throws {
        self.scope = scope
        self.position = position
        let (ticket, devices) = try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let ticket = try transaction.liveTicket()
            return (ticket, try transaction.execute(FindFollowedDevices(of: [ticket])).map(\.device))
        }
        // Random, so that clients that came together do not come back together.
        let lasting = Self.longest * Double.random(in: 0.85...1.15)
        let listener = LiveBoard.Listener(
            account: account, ticket: ticket, credential: scope.credential, queue: LiveQueue(), endsAt: .now + lasting)
        self.ticket = ticket
        place = try LivePlace(listener, devices: Set(devices), of: scope.services.live)
    }

    func write(to writer: inout any BodyWriter) async throws {
        defer { place.leave() }
        // Live events are queued since the place was taken, so that nothing is lost between the missed ones and them.
        for event in try await beginning() { try await writer.write(event) }
        while let events = await place.queue.next() { try await writer.write(events) }
    }

    private func beginning() async throws -> [[UInt8]] {
        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let now = try transaction.execute(ReadClock()).first else { return [] }
            let intake = LiveEvent.intake(lateSince: scope.services.live.intakeLateSince)
            guard let position else { return [intake.encoded(now), LiveEvent.ready.encoded(now)] }
            guard position <= now, now - position <= Self.longestAbsence else {
                return [intake.encoded(now), LiveEvent.resync().encoded(now)]
            }
            let since = position - LiveBoard.overlap
            let samples = try transaction.execute(ReplaySamples(since: since, limit: Self.mostMissed + 1))
            guard samples.count <= Self.mostMissed else { return [LiveEvent.resync().encoded(now)] }
            let alerts = try transaction.execute(FindLiveAlerts(of: [ticket], since: since))
            // The old position until everything is written: a client that leaves in between misses nothing.
            return [intake.encoded(position)]
                + samples.map { LiveEvent.reading(hardwareID: $0.hardwareID, $0.sample).encoded(position) }
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
    fileprivate static let tooManyStreams = ProblemType("too-many-streams", .tooManyRequests)
    fileprivate static let noStreamLeft = ProblemType("no-stream-left", .serviceUnavailable)
}
