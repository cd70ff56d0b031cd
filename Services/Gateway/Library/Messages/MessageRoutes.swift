import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a device's messages, one by one.
enum MessageRoutes {
    static let all = [list].forProjects()
    private static let listID = "listMessages"

    /// The longest time that one page looks back.
    private static let reach = Duration.seconds(7 * 86_400)

    private static let from = Input.optionalQuery("from", .timestamp, "Measured at this time or later.")
    private static let until = Input.optionalQuery(
        "until", .timestamp, "Measured before this time. Without it: up to now.")
    private static let only = Input.optionalQuery(
        "only", .choice(MessageFilter.Property.self),
        """
        Only those that are late: received 15 minutes after they were measured, or later; receiptTime: they have no time of their own; \
        history: never decided upon; doubtedTime: one of the two clocks is wrong; inParts: completed by a later message; deleted: values of \
        them were deleted.
        """)
    private static let limit = Input.limit(1...200, default: 50)

    private static let list = Route<Caller>(
        .get, "/devices/{device}/messages", id: listID, tag: "Readings", access: .read,
        "List a device's messages as they came",
        text: """
            By the time at which they were measured, newest first, as far back as messages are kept. A page looks back seven days at most: it may \
            be empty and have a next one all the same. What could not be read is in the list of rejects, and what was deleted whole in that of \
            deletions.
            """,
        inputs: [
            ReadingInputs.device, from, until, AlertInputs.parameter, only,
            Input<Int64?>.cursor(of: listID, Int64.self), limit,
        ],
        answers: .json(.ok, .page(of: ShownMessage.output)), problems: [.notFound], limit: .heavy
    ) { caller, inputs in
        let (id, limit) = (inputs[ReadingInputs.device], inputs[limit])
        let filter = MessageFilter(parameter: inputs[AlertInputs.parameter], property: inputs[only])
        let cursor = inputs[Input<Int64?>.cursor(of: listID, Int64.self)]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let device = try transaction.device(id)
            let lag = try transaction.execute(ReadClockLag(of: device)).first ?? .zero
            guard let now = try transaction.execute(ReadClock()).first,
                let kept = try transaction.execute(FindOldestSample(in: device.slot)).first
            else { throw Problem.pause }
            // By the device's clock from here on.
            let end = min(
                cursor.map { Timestamp(microseconds: $0) } ?? .distantFuture, (inputs[until] ?? .distantFuture) - lag,
                now + EventTime.furthestAhead)
            let oldest = max(kept, (inputs[from] ?? kept) - lag)
            let start = max(oldest, end - reach)
            guard start < end else { return .value(Page(items: [], next: nil)) }
            let rows = try transaction.execute(
                PageMessages(of: device, in: start..<end, filter, lag: lag, limit: limit + 1))
            let page = Page(rows, limit: limit, of: listID, key: { $0.time.microseconds })
            let next = page.next ?? (start > oldest ? Cursor.text(start.microseconds, of: listID) : nil)
            let approvals = try transaction.execute(
                PageApprovals(on: device, touching: start + lag..<end + lag))
            let units = try transaction.execute(FindUnits(of: device, for: account))
            let shown = page.items.map { ShownMessage($0, units: units, approvals: approvals, lag: lag) }
            return .value(Page(items: shown, next: next))
        }
    }
}
