import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a report of a period.
enum ReportRoutes {
    static let all = [show].forProjects()

    private static let from = Input.query(
        "from", .timestamp.example("2026-05-01T00:00:00Z"), "The beginning of the first hour (UTC).")
    private static let until = Input.query(
        "until", .timestamp.example("2026-05-02T00:00:00Z"),
        "The end of the last hour, in the past; 93 days later at most.")
    private static let checksum = Input.optionalQuery(
        "checksum", .text(64...64, pattern: "^[0-9a-f]{64}$", example: String(repeating: "0", count: 64)),
        "The checksum of a report on paper, to compare.")

    private static let show = Route<Caller>(
        .get, "/devices/{device}/report", id: "showReport", tag: "Readings", access: .read,
        "Report a period of a device",
        text: """
            Figures of each parameter that was measured, alarms, what was done, what was deleted and what is approved; in the person's units, by \
            their limits, and in their language. The same request gives the same bytes, and the same checksum, while nothing of it changes: with \
            checksum it is said whether a report on paper is what is known now. Hours count as measured once they are rolled up, a quarter of an \
            hour after their end.
            """,
        inputs: [DeviceInputs.device, from, until, checksum],
        answers: .json(.ok, SealedReport.output), problems: [.notFound], limit: .heavy
    ) { caller, inputs in
        let (id, start, end) = (inputs[DeviceInputs.device], inputs[from], inputs[until])
        guard start < end else { throw Problem(from, .periodEnds) }
        guard end - start <= PeriodReport.longest else { throw Problem(from, .periodTooLong) }
        for (input, time) in [(from, start), (until, end)] {
            guard time.roundedDown(to: RollUpSchedule.hour) == time else { throw Problem(input, .notWholeHours) }
        }
        let scope = caller.scope
        return try await scope.services.heavy.job(of: scope.person()).turn {
            try await scope.transaction(SeriesRequest.transaction) { transaction, account in
                let tank = try transaction.tank(of: id)
                guard end <= (try transaction.execute(ReadClock())[0]) else { throw Problem(until, .periodNotOver) }
                let name = try transaction.personDevice(id).name
                let report = try transaction.report(of: tank, named: name, in: start..<end, for: account)
                return .value(SealedReport(report, asked: inputs[checksum]))
            }
        }
    }
}
