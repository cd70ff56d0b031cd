import HTTPTypes
import Instants
import Postgres
import Routes
import WaterQuality
import Words

/// The route by which people take everything of theirs along.
enum ExportRoutes {
    static let all = [export].forProjects()

    private static let export = Route<Caller>(
        .get, "/account/export", id: "exportAccount", tag: AccountRoutes.tag, access: .session,
        "Export everything of yours",
        text: """
            One ZIP archive: `account.json` (settings, endpoints, sessions, tokens, without secrets), `devices.json` (all \
            that you have or had, with every version of their settings), `episodes.json`, `alerts.json` (with deliveries \
            and attempts), `hand-tests.json` and `calibrations.json` (tests by hand and calibration logs of the tanks that you see), `deletions.json` and `approvals.json` (readings that were deleted, periods that were approved), and for each device `readings/DEVICE.csv` and `hours/DEVICE.csv` of the time in which it was \
            yours, with `positions/DEVICE.csv` where it moves; `journal.csv`, `inventory.json` and `photos/DEVICE/PHOTO` of your tanks, with what you did for others'; \
            `plans.json` with each picture as `plans/PLAN`; `zones.json`; `audit.json` (what was changed, by whom). Times are in UTC, values in the unit that the column names; columns such as `temperature_qc` have the QARTOD \
            code of each value, or the worst of an hour (2: not evaluated yet). One export of a person runs at a time.
            """,
        answers: .stream("application/zip", "The archive."), problems: [.exportInProgress], limit: .heavy
    ) { caller, _ in
        // The session is checked before the first byte, so that an ended one is answered with a problem.
        let account = try await caller.scope.transaction { _, account in account }
        let place = try caller.scope.services.exports.begin(account)
        let job = try caller.scope.services.heavy.job(of: account)
        try await caller.scope.transaction { transaction, _ in _ = try transaction.perform(NoteExport()) }
        let name = "attachment; filename=\"\(Brand.current.filePrefix)export.zip\""
        return .stream(headers: [.contentDisposition: name]) { writer in
            try await Export(caller.scope, place, job).write(to: &writer)
        }
    }
}

extension ProblemType {
    static let exportInProgress = ProblemType("export-in-progress", .conflict)
}

/// The running exports: one for each person.
struct RunningExports: Sendable {
    private let places = PersonPlaces(ofPerson: 1)

    /// - Throws: `Problem(.exportInProgress)`.
    func begin(_ account: Account.ID) throws -> PersonPlaces.Place {
        do {
            return try places.begin(account)
        } catch {
            throw Problem(.exportInProgress)
        }
    }
}
