import HTTPTypes
import Instants
import People
import Postgres
import Routes
import Store
import WaterQuality

/// A journal as CSV (RFC 4180), for other programs and for a person's export.
enum JournalTable {
    static let columns = [
        "device", "time", "kind", "amount", "unit", "subject", "count", "text", "by", "photos", "details",
    ]

    /// - Parameter by: How whoever did it is called.
    static func line(_ item: JournalItem, by: String) -> String {
        let cells = [
            item.device, item.at.iso8601, item.kind, item.amount.map { "\($0.shown)" } ?? "", item.unit ?? "",
            item.subject ?? "",
            item.count.map { "\($0)" } ?? "", item.text ?? "", by,
            item.photos.map(\.id.description).joined(separator: " "), item.details?.json.text ?? "",
        ]
        return CSV.line(cells)
    }

    private static let pageSize = 500

    static let export = Route<Caller>(
        .get, "/devices/{device}/journal.csv", id: "exportJournal", tag: JournalRoutes.tag.name, access: .read,
        "Export the journal of a device's tank",
        text: """
            CSV (RFC 4180): a line for each, newest first, times in UTC, photos by their ids, details as JSON. It is sent while it is read; an \
            answer that breaks off is not complete.
            """,
        inputs: [DeviceInputs.device], answers: .stream("text/csv", "The table."), problems: [.notFound], limit: .heavy,
        handle: { caller, inputs in
            let (scope, id) = (caller.scope, inputs[DeviceInputs.device])
            let (account, tank) = try await scope.transaction(TransactionOptions(isReadOnly: true)) {
                transaction, account in
                (account, try transaction.tank(of: id))
            }
            let job = try scope.services.heavy.job(of: account)
            return .stream(headers: [
                .contentType: "text/csv; charset=utf-8; header=present",
                .contentDisposition: "attachment; filename=\"\(id.text)-journal.csv\"",
            ]) { writer in
                try await writer.write(Array((columns.joined(separator: ",") + "\r\n").utf8))
                var place: PageJournal.Place? = .newest
                while let from = place {
                    let rows = try await job.turn {
                        try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
                            try transaction.execute(
                                PageJournal(below: from, .init(device: id, tank: tank.key.tank), limit: pageSize))
                        }
                    }
                    let text = rows.map { line($0, by: $0.by?.name ?? "") + "\r\n" }.joined()
                    if !text.isEmpty { try await writer.write(Array(text.utf8)) }
                    place = rows.count == pageSize ? rows.last.map(PageJournal.Place.init) : nil
                }
            }
        })
}
