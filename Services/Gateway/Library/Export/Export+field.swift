import Postgres
import Routes
import Store
import WaterQuality

extension Export {
    /// Writes the samples of tanks that are or were the person's, and those that the person took in others', with their tracks and former versions; and the
    /// person's own protocols. Of who else took one it says nothing but what was written as the surveyors.
    func writeField(to writer: inout any BodyWriter) async throws {
        var place: PageFieldSamples.Place? = .newest
        try await writeList("field-samples", to: &writer) {
            while let from = place {
                let rows = try await page { transaction, _ in
                    try transaction.execute(
                        PageFieldSamples(below: from, isTheirs: true, hasTracks: true, limit: Self.samples))
                }
                place = rows.count == Self.samples ? rows.last?.place : nil
                let samples = rows.compactMap(\.sample).map { stored in
                    var shown = stored
                    if shown.author?.isMe != true { shown.author = nil }
                    shown.receivers = []
                    return shown.json
                }
                if !samples.isEmpty { return samples }
            }
            return []
        }
        try await writeList("field-sample-versions", limit: Self.samples, to: &writer) {
            ExportFieldVersions(of: $0, after: $1, limit: $2)
        }
        try await writeList("field-protocols", limit: Self.samples, to: &writer) { _, after, limit in
            ExportFieldProtocols(after: after, limit: limit)
        }
        try await writeList("sample-receivers", to: &writer) { _, after, limit in
            ExportReceivers(after: after, limit: limit)
        }
    }

    /// Samples of a page: each has a track perhaps.
    private static let samples = 20
}
