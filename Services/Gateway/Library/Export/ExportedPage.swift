import Postgres
import Routes
import Store
import WaterQuality

/// A statement that reads a page of something of a person's, as JSON.
protocol ExportedPage: Statement where Row == ExportedRow<Cursor> {
    /// A place in the order of the rows.
    associatedtype Cursor: Sendable

    /// - Parameter after: The place of the last row of the page before; `nil` for the first page.
    init(of account: Account.ID, after: Cursor?, limit: Int)
}

/// A row of an export as JSON, with its place in the order.
struct ExportedRow<Cursor: Sendable>: Sendable {
    var cursor: Cursor
    var json: String
}

extension Export {
    /// Writes all pages as one list.
    func writeList<Page: ExportedPage>(_ name: String, of _: Page.Type, to writer: inout any BodyWriter) async throws {
        var after: Page.Cursor?
        try await writeList(name, to: &writer) {
            let (last, limit) = (after, rows)
            let page = try await page { try $0.execute(Page(of: $1, after: last, limit: limit)) }
            after = page.last?.cursor ?? after
            return page.map(\.json)
        }
    }
}
