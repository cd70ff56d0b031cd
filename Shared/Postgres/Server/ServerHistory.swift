import Synchronization

/// The newest timeline that a program has worked on, so that it never writes to a server that was left behind.
///
/// A primary that died, was replaced by its promoted standby and comes back does not know that it is not the primary any
/// more. Whoever connects to it then splits the data in two. It is on the lower timeline, which is how it is told.
package final class ServerHistory: Sendable {
    private struct State {
        var newest: ServerIdentity?
        var refusal: PostgresError?
        var isForgetful = false
    }

    /// Where a restart finds it; nil keeps it in memory alone.
    private let file: ServerHistoryFile?
    private let state = Mutex(State())

    /// - Parameter file: The path of a file that this program alone writes, and its copies on this machine.
    package init(file: String? = nil) {
        self.file = file.map(ServerHistoryFile.init)
    }

    /// Why the server that was reached last is not written to; nil when it is.
    package var refusal: PostgresError? { state.withLock(\.refusal) }
    /// The file could not be written: what is known ends with this process.
    package var isForgetful: Bool { state.withLock(\.isForgetful) }

    /// Looks at a server before anything is written to it. May block on the file.
    /// - Throws: `serverRefused` with what to do.
    func admit(_ server: ServerIdentity) throws(PostgresError) {
        let refusal = state.withLock { state in
            state.refusal = admit(server, &state)
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    private func admit(_ server: ServerIdentity, _ state: inout State) -> PostgresError? {
        do throws(PostgresError) {
            // The file counts where there is one, so that removing it is all that it takes to accept another server.
            if let file, !state.isForgetful { state.newest = try file.read() }
        } catch {
            return error
        }
        switch ServerVerdict(on: server, newest: state.newest) {
        case .known:
            if let file, state.isForgetful { state.isForgetful = !file.write(server) }
            return nil
        case .newer:
            state.newest = server
            if let file { state.isForgetful = !file.write(server) }
            return nil
        case .leftBehind(let newest):
            return PostgresError(
                .serverRefused,
                "it writes timeline \(server.timeline), and timeline \(newest) of the same database has been worked on: "
                    + "another server was promoted since. Stop this one, and let it follow the other "
                    + "(pg_rewind, or a copy by pg_basebackup). \(acceptance)")
        case .another(let system):
            return PostgresError(
                .serverRefused,
                "it holds another database (system identifier \(server.system)) than the one that has been worked on "
                    + "(\(system)). Correct AQUA_DATABASE_URL. If a database was restored or made anew on purpose: "
                    + acceptance)
        }
    }

    private var acceptance: String {
        guard let file else { return "To work on it all the same, start this program again." }
        return "To work on it all the same, remove \(file.path)."
    }
}

/// What is known of a server by its identity.
enum ServerVerdict: Hashable {
    case known
    /// The first server at all, or one that was promoted since.
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
