import HTTPTypes
import Instants
import People
import Postgres
import Routes
import Store
import WaterQuality

/// The route of tests by hand as a table for other programs.
enum HandTestTable {
    static let all = [export].forProjects()

    private static let export = Route<Caller>(
        .get, "/devices/{device}/tests.csv", id: "exportTests", tag: KitRoutes.tag, access: .read,
        "Export the tests of a device's water",
        text: """
            CSV (RFC 4180): a line for each value, the newest tests first, times in UTC, the value as it was read and in the parameter's \
            canonical unit, of a step with its bounds. It is sent while it is read; an answer that breaks off is not complete.
            """,
        inputs: [ReadingInputs.device], answers: .stream("text/csv", "The table."), limit: .heavy,
        handle: { caller, inputs in
            let (scope, id) = (caller.scope, inputs[ReadingInputs.device])
            let (account, device) = try await scope.transaction(TransactionOptions(isReadOnly: true)) {
                transaction, account in (account, try transaction.device(id))
            }
            let job = try scope.services.heavy.job(of: account)
            return .stream(headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(id.text)-tests.csv\"",
            ]) { writer in
                try await writer.write(Array((columns.joined(separator: ",") + "\r\n").utf8))
                var place = PageHandTests.Place.newest
                while true {
                    let below = place
                    let rows = try await job.turn {
                        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                            try transaction.execute(PageHandTests(of: device, below: below, limit: page))
                        }
                    }
                    if !rows.isEmpty { try await writer.write(Array(rows.map(lines).joined().utf8)) }
                    guard rows.count == page, let last = rows.last else { break }
                    place = PageHandTests.Place(at: last.content.at, id: last.id)
                }
            }
        })

    private static let page = 500

    static let columns = [
        "time", "test", "parameter", "value", "unit", "canonical_value", "canonical_unit", "lower", "upper", "choice",
        "kit", "by", "note",
    ]

    /// The lines of one test, each with its end.
    static func lines(_ test: HandTest) -> String {
        test.content.values.map { value in
            let number = [value.lower, value.upper].map { $0.map { "\($0.shownDouble)" } ?? "" }
            let cells = [
                test.content.at.iso8601, "\(test.id)", value.parameter.name, "\(value.read)", value.unit.rawValue,
                "\(value.value.shownDouble)", value.parameter.canonicalUnit.rawValue, number[0], number[1],
                CSV.cell(value.choice ?? ""), test.content.kit ?? "", CSV.cell(test.by?.name ?? ""),
                CSV.cell(test.content.note ?? ""),
            ]
            return cells.joined(separator: ",") + "\r\n"
        }.joined()
    }
}
