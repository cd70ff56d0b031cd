import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route by which a project reads the samples that it received.
enum ReceivedRoutes {
    static let all = [list].forProjects()

    private static let name = "listReceivedSamples"
    private static let since = Input<ReceivedCursor?>.optionalQuery(
        "since", .cursor(of: name), "The member cursor of the answer before; everything without it.")
    /// Few, since each sample has its track.
    private static let limit = Input<Int>.limit(1...20, default: 20)

    private static let list = Route<Caller>(
        .get, "/field-samples/received", id: name, tag: FieldSampleRoutes.tag, access: .receiveSamples,
        "List the samples that a project received",
        text: """
            In the order in which they came, each version once, with its track. Nothing that comes later stands before a cursor that was given, so that \
            whoever keeps the last cursor misses nothing. A version that comes again replaces what came before: something of it was forgotten or \
            reviewed. What is withdrawn comes once more without its content, and its former versions are gone. A person receives none.
            """,
        inputs: [since, limit], answers: .json(.ok, .receivedPage)
    ) { caller, inputs in
        let (since, limit, language) = (inputs[since]?.sequence ?? 0, inputs[limit], caller.scope.language)
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(PageReceivedSamples(after: since, limit: limit + 1))
            let items = Array(rows.prefix(limit))
            return .value(
                ReceivedPage(
                    items: items, cursor: Cursor.text(ReceivedCursor(items.last?.sequence ?? since), of: name),
                    hasMore: rows.count > limit, language: language))
        }
    }
}
