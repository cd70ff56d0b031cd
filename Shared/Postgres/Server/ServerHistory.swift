package import Instants
import Synchronization

/// The newest timeline that a program has worked on, so that it never writes to a server that was left behind.
///
/// A primary that died, was replaced by its promoted standby and comes back does not know that it is no longer the
/// primary. A client that writes to it splits the data in two. Its lower timeline gives it away.
///
/// Two standbys promoted from one primary are on the same timeline and cannot be told apart: PostgreSQL shows the point
/// where they parted to superusers only, and addresses may change. The cluster manager has to prevent two promotions.
package final class ServerHistory: Sendable {
    private struct State {
        var newest: ServerSighting?
        var onPromotion: @Sendable (ServerSighting) -> Void = { _ in }
    }

    /// Findings for other threads, which must not wait for the file.
    private struct Findings {
        var current: ServerIdentity?
        var refusal: PostgresError?
        var isForgetful = false
    }

    /// The file that a restart reads; nil keeps the history in memory only.
    private let file: ServerHistoryFile?
    private let clock: WallClock
    /// Locked while a server is examined.
    private let state = Mutex(State())
    private let findings = Mutex(Findings())

    /// - Parameter file: The path of a file that only this program and its copies on this machine write.
    package init(file: String? = nil, clock: WallClock = .system) {
        self.file = file.map(ServerHistoryFile.init)
        self.clock = clock
    }

    /// Why the server reached last is not written to; nil if it is.
    package var refusal: PostgresError? { findings.withLock(\.refusal) }
    /// Whether the file could not be written: the history then ends with this process.
    package var isForgetful: Bool { findings.withLock(\.isForgetful) }

    /// - Parameter body: Called when the program begins to work on a server that was promoted since the last one.
    package func onPromotion(_ body: @escaping @Sendable (ServerSighting) -> Void) {
        state.withLock { $0.onPromotion = body }
    }

    /// Whether an admitted server is still the one to work on.
    func isCurrent(_ server: ServerIdentity) -> Bool {
        findings.withLock { findings in findings.current.map { $0 == server } ?? true }
    }

    /// Examines a server before anything is written to it. May block on the file.
    /// - Parameters:
    ///   - host: The host at which it was reached.
    ///   - isAside: Whether the server is only met: its refusal does not concern the one that is worked on.
    /// - Throws: `serverRefused` with a sentence that says what to do.
    func admit(_ server: ServerIdentity, at host: PostgresHost, isAside: Bool = false) throws(PostgresError) {
        let sighting = ServerSighting(server, at: host, clock.now())
        let (refusal, onPromotion) = state.withLock { state in
            let refusal: PostgresError?
            var isPromoted = false
            do throws(PostgresError) {
                isPromoted = try admit(sighting, &state)
                refusal = nil
            } catch {
                refusal = error
            }
            findings.withLock { findings in
                findings.current = state.newest?.identity
                if !isAside || refusal == nil { findings.refusal = refusal }
            }
            return (refusal, isPromoted ? state.onPromotion : nil)
        }
        if let refusal { throw refusal }
        onPromotion?(sighting)
    }

    /// - Returns: Whether it was promoted since another server was worked on.
    private func admit(_ sighting: ServerSighting, _ state: inout State) throws(PostgresError) -> Bool {
        try recall(&state)
        let former = state.newest
        switch ServerVerdict(on: sighting.identity, newest: former?.identity) {
        case .known:
            if former?.place == nil { state.newest = sighting }
            if isForgetful || former?.place == nil { remember(state.newest) }
            return false
        case .newer:
            state.newest = sighting
            remember(sighting)
            return former != nil
        case .leftBehind(let newest):
            throw PostgresError(.serverRefused, leftBehind(sighting.identity, newest, former?.place))
        case .another(let system):
            throw PostgresError(
                .serverRefused,
                "it holds another database (system identifier \(sighting.identity.system)) than the one that has been worked on "
                    + "(\(system)\(former?.place.map { ", at \($0)" } ?? "")). Correct AQUA_DATABASE_URL. "
                    + "If a database was restored or made anew on purpose, \(acceptance).")
        }
    }

    /// Reads the file, if there is one, so that removing it is enough to accept another server. While the file cannot
    /// be written, the memory of this process counts instead, unless a copy of the program has recorded a newer server.
    private func recall(_ state: inout State) throws(PostgresError) {
        guard let file else { return }
        guard isForgetful, let own = state.newest else {
            state.newest = try file.read()
            return
        }
        guard let other = try? file.read(), other.identity.system == own.identity.system,
            other.identity.timeline > own.identity.timeline
        else { return }
        state.newest = other
    }

    private func remember(_ sighting: ServerSighting?) {
        guard let file, let sighting else { return }
        let isForgetful = !file.write(sighting)
        findings.withLock { $0.isForgetful = isForgetful }
    }

    /// The message about two servers, of which people have to say which is wrong: a copy of the database that was
    /// reached by mistake looks like a promoted standby.
    private func leftBehind(_ server: ServerIdentity, _ newest: UInt32, _ place: ServerSighting.Place?) -> String {
        let other = place?.host ?? "that server"
        return "it writes timeline \(server.timeline), and timeline \(newest) of the same database has been worked on"
            + "\(place.map { ", at \($0)" } ?? ""). If \(other) is not the database that was promoted, \(acceptance). "
            + "If it is, stop this one, and let it follow \(other) (pg_rewind, or a copy by pg_basebackup)."
    }

    private var acceptance: String {
        file.map { "remove \($0.path)" } ?? "start this program again"
    }
}

/// A server's standing, judged by its identity.
enum ServerVerdict: Hashable {
    case known
    /// The first server ever, or one that was promoted since.
    case newer
    case leftBehind(newest: UInt32)
    case another(than: Int64)

    init(on server: ServerIdentity, newest: ServerIdentity?) {
        guard let newest else {
            self = .newer
            return
        }
        if server.system != newest.system {
            self = .another(than: newest.system)
        } else if server.timeline < newest.timeline {
            self = .leftBehind(newest: newest.timeline)
        } else {
            self = server.timeline == newest.timeline ? .known : .newer
        }
    }
}
