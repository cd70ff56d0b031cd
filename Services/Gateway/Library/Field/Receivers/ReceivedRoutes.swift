import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes by which a project reads the samples that it received.
enum ReceivedRoutes {
    static let all = [list, show].forProjects()

    private static let name = "listReceivedSamples"
    private static let order = Input.query(
        "order", .choice(Order.self), default: .oldest,
        "oldest: every version, as it came; newest: each sample once, as it is now.")
    private static let since = Input<ReceivedCursor?>.optionalQuery(
        "since", .cursor(of: name), "Of oldest: the member cursor of the answer before; everything without it.")
    private static let before = Input<ReceivedCursor?>.optionalQuery(
        "before", .cursor(of: name), "Of newest: likewise.")
    private static let limit = Input<Int>.limit(1...100, default: mostWithTracks)
    private static let mostWithTracks = 20

    private enum Order: String, CaseIterable {
        case oldest, newest
    }

    private static let list = Route<Caller>(
        .get, "/field-samples/received", id: name, tag: FieldSampleRoutes.tag, access: .receiveSamples,
        "List the samples that a project received",
        text: """
            In the order in which they came, each version once, with its track, \(mostWithTracks) at most. Nothing that comes later stands before a cursor \
            that was given, so that whoever keeps the last cursor misses nothing. A version that comes again replaces what came before: something of it \
            was forgotten or reviewed. What is withdrawn comes once more without its content, and its former versions are gone. The newest first, each \
            sample stands once, as it is now and without its track. A person receives none.
            """,
        inputs: [order, since, before, limit], answers: .json(.ok, .receivedPage)
    ) { caller, inputs in
        let (limit, language) = (inputs[limit], caller.scope.language)
        let isNewest = inputs[order] == .newest
        if isNewest ? inputs[since] != nil : inputs[before] != nil {
            throw Problem(isNewest ? since : before, .notWithOrder)
        }
        if !isNewest, limit > mostWithTracks { throw Problem(Self.limit, .notWithOrder) }
        let from = (isNewest ? inputs[before] : inputs[since])?.sequence ?? (isNewest ? .max : 0)
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows =
                isNewest
                ? try transaction.execute(PageNewestReceived(before: from, limit: limit + 1))
                : try transaction.execute(PageReceivedSamples(after: from, limit: limit + 1))
            let items = Array(rows.prefix(limit))
            return .value(
                ReceivedPage(
                    items: items, cursor: Cursor.text(ReceivedCursor(items.last?.sequence ?? from), of: name),
                    hasMore: rows.count > limit, language: language))
        }
    }

    private static let show = Route<Caller>(
        .get, "/field-samples/received/{sample}", id: "showReceivedSample", tag: FieldSampleRoutes.tag,
        access: .receiveSamples,
        "Show a sample that a project received", text: "As it is now, with its track.",
        inputs: [FieldSampleInputs.sample], answers: .json(.ok, .receivedSample), problems: [.notFound]
    ) { caller, inputs in
        let (find, language) = (FindReceivedSample(inputs[FieldSampleInputs.sample]), caller.scope.language)
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let sample = try transaction.execute(find).first else { throw Problem(.notFound) }
            return .value(ShownReceivedSample(sample: sample, language: language))
        }
    }
}

extension Fault {
    fileprivate static let notWithOrder = Fault("not-with-order")
}
