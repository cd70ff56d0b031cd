import HTTPTypes
import Instants
import Routes
import Synchronization
import WaterQuality

/// The route by which people take everything of theirs along.
enum ExportRoutes {
    static let all = [export]

    private static let export = Route<Caller>(
        .get, "/account/export", id: "exportAccount", tag: AccountRoutes.tag, access: .session,
        "Export everything of yours",
        text: """
            One ZIP archive: `account.json` (settings, endpoints, sessions, tokens, without secrets), `devices.json` (all \
            that you have or had, with every version of their settings), `episodes.json`, `alerts.json` (with deliveries \
            and attempts), `hand-tests.json` (tests by hand of the tanks that you see), and for each device `readings/DEVICE.csv` and `hours/DEVICE.csv` of the time in which it was \
            yours. Times are in UTC, values in the unit that the column names; columns such as `temperature_qc` have the QARTOD \
            code of each value, or the worst of an hour (2: not evaluated yet). One export of a person runs at a time.
            """,
        answers: .stream("application/zip", "The archive."), problems: [.exportInProgress], limit: .heavy
    ) { caller, _ in
        // The session is checked before the first byte, so that an ended one is answered with a problem.
        let account = try await caller.scope.transaction { _, account in account }
        let place = try caller.scope.services.exports.begin(account)
        let job = try caller.scope.services.heavy.job(of: account)
        let name = "attachment; filename=\"aquamonitor-export.zip\""
        return .stream(headers: [.contentDisposition: name]) { writer in
            try await Export(caller.scope, place, job).write(to: &writer)
        }
    }
}

extension ProblemType {
    static let exportInProgress = ProblemType("export-in-progress", .conflict)
}

/// The running exports: one for each person.
final class RunningExports: Sendable {
    private let people = Mutex<Set<Account.ID>>([])

    /// - Throws: `Problem(.exportInProgress)`.
    func begin(_ account: Account.ID) throws -> Place {
        guard people.withLock({ $0.insert(account).inserted }) else { throw Problem(.exportInProgress) }
        return Place(account, self)
    }

    /// A person's place, which ends with its last reference, whether or not the answer was ever written.
    final class Place: Sendable {
        private let account: Account.ID
        private let exports: RunningExports

        fileprivate init(_ account: Account.ID, _ exports: RunningExports) {
            self.account = account
            self.exports = exports
        }

        deinit { _ = exports.people.withLock { $0.remove(account) } }
    }
}
