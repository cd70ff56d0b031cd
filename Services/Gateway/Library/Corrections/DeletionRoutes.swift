import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of readings that are deleted.
enum DeletionRoutes {
    static let all = [list, delete].forProjects()
    private static let listID = "listDeletions"

    private static let from = Input.field(
        "from", .timestamp.example("2026-05-01T12:00:00Z"), "The beginning of the stretch, included.")
    private static let until = Input.field(
        "until", .timestamp.example("2026-05-01T13:00:00Z"),
        "The end of the stretch, not included: \(DeletedReadings.longestDays) days later at most.")
    private static let parameters = Input.field(
        "parameters", .list(of: .choice(Parameter.Name.self), count: 0...Parameter.allCases.count), default: [],
        "The parameters whose values are deleted, with what is computed from them; none stands for all.")
    private static let dryRun = Input.field(
        "dryRun", .boolean, default: false, "Whether readings are counted only, and nothing is deleted.")
    private static let readings = Input.optionalField(
        "readings", .integer(0...100_000_000).example(.null),
        "How many readings a dry run counted: others are not deleted. A dry run goes without.")
    private static let reason = Input.optionalField(
        "reason", .text(1...500).example(.null), "Why, for whoever looks later.")

    private static let output = Output<DeletedReadings>.object(
        "DeletedReadings", "How many readings were deleted, or would be.",
        [
            .member("deleted", .boolean, "Whether they were deleted.", example: false) { $0.outcome == .deleted },
            .member("messages", .integer, "The messages of which something is deleted.", example: 120) { $0.messages },
            .member("readings", .integer, "The values that are deleted.", example: 120) { $0.readings },
        ])

    private static let delete = Route<Caller>(
        .post, "/devices/{device}/deletions", id: "deleteReadings", tag: "Readings", access: .fresh,
        "Delete readings of a stretch of time",
        text: """
            As the owner. Ask for a dry run, show how many readings there are, and send the same again with that number: where others have \
            come meanwhile, nothing is deleted (409). There is no way back. A device that sends the same messages again brings nothing back.

            Hours, days, time out of limits and last values follow within a minute. What was told stays told: alerts and episodes are \
            history and say that readings of theirs were deleted; an episode that is open goes on or ends by the next reading. Readings that \
            wait for a decision are decided as they came. At most \(DeletedReadings.mostMessages) messages at once, and none of a period \
            that is approved.

            Where a device sends each value in a message of its own, a computed value is part of the last of them, up to two minutes after the \
            first: end the stretch so much later where it has to go as well. Messages that come later are not computed with what was \
            deleted; one that is being stored in the same moment may be.
            """,
        inputs: [DeviceInputs.device, from, until, parameters, dryRun, readings, reason],
        answers: .json(.ok, output),
        problems: [.notFound, .ownerOnly, .readingsChanged, .periodApproved, .tooManyReadings], limit: .heavy
    ) { caller, inputs in
        let (id, start, end) = (inputs[DeviceInputs.device], inputs[from], inputs[until])
        guard start < end else { throw Problem(from, .periodEnds) }
        let seen = inputs[dryRun] ? nil : inputs[readings]
        guard inputs[dryRun] || seen != nil else { throw Problem(readings, .missing) }
        let chosen = inputs[parameters].reduce(into: ParameterSet()) { $0.insert(ParameterSet($1.parameter)) }
        return try await caller.scope.transaction { transaction, _ in
            let device = try transaction.personDevice(id).key
            let found = try transaction.execute(
                DeleteReadings(
                    device: device, period: start..<end,
                    parameters: chosen.isEmpty ? ParameterSet(rawValue: -1) : chosen.withDerived, seen: seen,
                    reason: inputs[reason])
            ).first
            switch found?.outcome {
            case .counted, .deleted: break
            case .unknown, nil: throw Problem(.notFound)
            case .notOwner: throw Problem(.ownerOnly)
            case .differs: throw Problem(.readingsChanged)
            case .approved: throw Problem(.periodApproved)
            case .tooMany: throw Problem(.tooManyReadings)
            case .tooLong: throw Problem(until, .deletionTooLong)
            case .tooOld: throw Problem(from, .readingsNotKept)
            }
            guard let found else { throw Problem(.notFound) }
            return .value(found)
        }
    }

    private static let before = Input<DeletionPlace?>.cursor(of: listID, DeletionPlace.self)
    private static let limit = Input.limit(1...100, default: 20)

    private static let list = Route<Caller>(
        .get, "/devices/{device}/deletions", id: listID, tag: "Readings", access: .read,
        "List what was deleted of a device's readings",
        text: "In the tank in which the person has or had the device last, newest first.",
        inputs: [DeviceInputs.device, before, limit], answers: .json(.ok, .page(of: Deletion.output)),
        problems: [.notFound]
    ) { caller, inputs in
        let (id, before, limit) = (inputs[DeviceInputs.device], inputs[before], inputs[limit])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(
                PageDeletions(on: try transaction.device(id), before: before, limit: limit + 1))
            return .value(Page(rows, limit: limit, of: listID, key: { DeletionPlace($0) }))
        }
    }
}
