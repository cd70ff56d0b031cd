import Backoff
import Postgres

/// Checks every host of AQUA_DATABASE_URL, whether commits end, and whether a pooler shares connections.
struct ReplicationChecks {
    let database: PostgresConfiguration
    let keepsHistory: Bool
    /// How long a commit may take.
    var patience = Duration.seconds(10)

    private static let topic = "replication"

    /// - Returns: The findings, and whether looking at the database through these connections makes sense.
    func run() async -> (findings: [Finding], isUsable: Bool) {
        switch await sharing() {
        case .shared: return ([poolerFound], false)
        case .unreachable where database.hosts.count == 1: return ([], true)
        case .unreachable, .own: break
        }
        var looks: [ServerLook] = []
        for host in database.hosts { looks.append(await look(at: host)) }
        let findings = ReplicationFindings(looks: looks, keepsHistory: keepsHistory).all
        return (findings + (await commits(looks)), true)
    }

    private func look(at host: PostgresHost) async -> ServerLook {
        do {
            let rows = try await PostgresConnection.with(database.looking(at: host)) { connection in
                try await connection.execute(InspectReplication())
            }
            return ServerLook(host: "\(host)", answer: rows.first)
        } catch {
            let trouble = (error as? PostgresError)?.explanation ?? "\(error)"
            return ServerLook(host: "\(host)", trouble: trouble)
        }
    }

    /// Makes a commit where services make theirs: one that waits for a lost standby never ends.
    private func commits(_ looks: [ServerLook]) async -> [Finding] {
        guard looks.contains(where: { $0.answer?.isStandby == false }) else { return [] }
        do {
            try await PostgresConnection.with(database) { connection in
                try await withTimeout(patience) { _ = try await connection.perform(AwaitEarlierCommits()) }
            }
            return [.ok(Self.topic, "a commit ends")]
        } catch is TimeoutError {
            return [stalled(looks.compactMap(\.answer).first { !$0.isStandby }?.synchronous ?? "")]
        } catch let error as PostgresError where error.code == .connectionFailed {
            // Reported by the checks of the database.
            return []
        } catch {
            return [.unreachable(Self.topic, error)]
        }
    }

    private func stalled(_ synchronous: String) -> Finding {
        let consequence = "nothing is stored, and what devices send waits at the broker"
        guard !synchronous.isEmpty else {
            return .wrong(
                Self.topic, "a commit does not end within \(patience): \(consequence)",
                mend: "Look at the server's log and at its disk.")
        }
        return .wrong(
            Self.topic, "commits wait for a standby that is gone (\(synchronous)): \(consequence)",
            mend: "Start that standby. If it is lost, go on without one, as a superuser: "
                + "ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf(); "
                + "with Patroni: \(ReplicationFindings.patronictl) edit-config --set synchronous_mode=false")
    }

    /// Compares the server processes of two connections that are open at once: a pooler may lend one to both.
    private func sharing() async -> Sharing {
        do {
            return try await PostgresConnection.with(database) { first in
                let process = try await first.execute(ReadServerProcess())
                return try await PostgresConnection.with(database) { second in
                    try await second.execute(ReadServerProcess()) == process ? .shared : .own
                }
            }
        } catch {
            return (error as? PostgresError)?.code == .sharedSession ? .shared : .unreachable
        }
    }

    private enum Sharing { case own, shared, unreachable }

    private var poolerFound: Finding {
        .wrong(
            Self.topic,
            "AQUA_DATABASE_URL leads to a pooler that shares connections, such as PgBouncer with pool_mode = transaction: "
                + "services need what stays with a connection, its locks, notifications and prepared statements",
            mend: "Set pool_mode = session there, or name PostgreSQL itself, here and for every service.")
    }
}
