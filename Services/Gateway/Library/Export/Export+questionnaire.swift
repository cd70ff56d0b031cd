import Postgres
import Routes
import Store

extension Export {
    /// Writes what is said of tanks, each version by itself.
    func writeAnswers(to writer: inout any BodyWriter) async throws {
        var after: ExportTankAnswers.Cursor?
        try await writeList("tank-answers", to: &writer) {
            let (last, limit) = (after, rows)
            let page = try await page { try $0.execute(ExportTankAnswers(of: $1, after: last, limit: limit)) }
            after = page.last?.cursor ?? after
            return page.map(\.json)
        }
    }
}
