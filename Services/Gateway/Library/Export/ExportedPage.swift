import Postgres
import Routes
import Store
import WaterQuality

/// A statement that reads a page of something of a person's, as JSON.
protocol ExportedPage: Statement where Row == ExportedRow<Cursor> {
    /// A place in the order of the rows.
    associatedtype Cursor: Sendable
}

/// A row of an export as JSON, with its place in the order.
struct ExportedRow<Cursor: Sendable>: Sendable {
    var cursor: Cursor
    var json: String
}

extension Export {
    /// The next page, after a place that moves on to its last row.
    /// - Parameters:
    ///   - place: That of the last row of the page before; `nil` before the first.
    ///   - make: The statement for the person, after a place, of so many rows at most.
    func next<Page: ExportedPage>(
        after place: inout Page.Cursor?, limit: Int? = nil,
        _ make: @Sendable (Account.ID, Page.Cursor?, Int) -> Page
    ) async throws -> [String] {
        let (last, limit) = (place, limit ?? rows)
        let page = try await page { try $0.execute(make($1, last, limit)) }
        place = page.last?.cursor ?? place
        return page.map(\.json)
    }

    /// Writes all pages as one list.
    func writeList<Page: ExportedPage>(
        _ name: String, limit: Int? = nil, to writer: inout any BodyWriter,
        _ make: @Sendable (Account.ID, Page.Cursor?, Int) -> Page
    ) async throws {
        var place: Page.Cursor?
        try await writeList(name, to: &writer) { try await next(after: &place, limit: limit, make) }
    }
}
