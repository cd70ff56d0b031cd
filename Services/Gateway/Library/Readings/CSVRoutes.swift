import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of readings as a table for other programs.
enum CSVRoutes {
    static let all = [export].forProjects()

    private static let corrected = Input.query(
        "corrected", .boolean, default: false, "Whether corrected values are to stand beside what was read.")

    private static let export = Route<Caller>(
        .get, "/devices/{device}/readings.csv", id: "exportReadings", tag: "Readings", access: .read,
        "Export a device's readings",
        text: """
            CSV (RFC 4180): a line for each message, oldest first, times in UTC, values in the person's units, which the \
            header names, and after them the QARTOD code of each (`temperature_qc`: 1 pass, 3 suspect, 4 fail), by the values \
            before it and, of a spike or a run of equal values, after it in the period. The column `approved` is 1 where the owner has approved the hour, and empty where it \
            is provisional; the column `work` is 1 where somebody \
            worked on the water when it was measured. It is sent while it is read; an answer \
            that breaks off is not complete.

            With corrected, parameters that have a calibration log get a further column at the end, `ph_corrected`: the value without the \
            drift that the log shows, and nothing where that is not known.

            Where positions are kept of the period, the columns `latitude` and `longitude` come after `work`, in degrees: the last kept \
            position before, if it was of the hour before.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.from, ReadingInputs.until, corrected],
        answers: .stream("text/csv", "The table."), limit: .heavy,
        handle: { caller, inputs in
            let scope = caller.scope
            let (account, table) = try await scope.transaction(TransactionOptions(isReadOnly: true)) {
                transaction, account in
                let device = try transaction.device(inputs[ReadingInputs.device])
                guard let now = try transaction.execute(ReadClock()).first else { throw Problem.pause }
                let period = try ReadingInputs.period(inputs, now: now)
                guard let kept = try transaction.execute(FindOldestSample(in: device.slot)).first else {
                    throw Problem.pause
                }
                let lag = try transaction.execute(ReadClockLag(of: device)).first ?? .zero
                let visible = period.clamped(to: kept..<now + EventTime.furthestAhead)
                let work = try transaction.execute(
                    ListWork(on: device, in: visible.lowerBound + lag..<visible.upperBound + lag))
                let table = SampleTable(
                    device: device, units: try transaction.execute(FindUnits(of: device, for: account)),
                    period: visible, work: work.moved(by: .zero - lag),
                    courses: inputs[corrected] ? try transaction.calibrationCourses(on: device) : [:],
                    approvals: try transaction.execute(
                        PageApprovals(on: device, touching: visible.lowerBound + lag..<visible.upperBound + lag)),
                    lag: lag, hasPositions: try transaction.execute(HasTrack(of: device, in: visible)).first ?? false)
                return (account, table)
            }
            let job = try scope.services.heavy.job(of: account)
            let name = "\(inputs[ReadingInputs.device].text).csv"
            return .stream(headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(name)\"",
            ]) { writer in
                try await writer.write(table.header)
                var pages = PeriodPages(table.period)
                var review = MessageReview<ListSamples.Row>()
                var course = TrackCourse()
                while let page = pages.next() {
                    let (rows, points) = try await job.turn {
                        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                            let rows = try transaction.execute(ListSamples(of: table.device, in: page))
                            guard let stretch = table.stretch(ofPositionsFor: page) else {
                                return (rows, [TrackPoint]())
                            }
                            return (rows, try transaction.execute(ListTrack(of: table.device, in: stretch)))
                        }
                    }
                    pages.note(rows: rows.count)
                    course.add(points)
                    for row in rows { review.add(row, row.readings, at: row.time) }
                    let settled = review.settled(before: page.upperBound)
                    if !settled.isEmpty { try await writer.write(table.lines(settled, course)) }
                    if let last = settled.last { course.forget(before: last.message.time) }
                }
                let rest = review.rest()
                if !rest.isEmpty { try await writer.write(table.lines(rest, course)) }
            }
        })
}
