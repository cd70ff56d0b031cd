import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a parameter's limits over time, as they are set now.
enum LimitStepsRoutes {
    static let all = [show]

    /// The longest time that is asked for: what is longer shows no hours.
    private static let longest = Duration.seconds(100 * 86_400)

    private static let show = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/limits", id: "showLimits", tag: ParameterRoutes.tag,
        access: .read,
        "Show which limits hold when",
        text:
            "By the limits as they are set now, piece by piece, without gaps. 100 days at most, the last of the time that is asked for.",
        inputs: [ReadingInputs.device, ReadingInputs.parameter, ReadingInputs.from, ReadingInputs.until],
        answers: .json(.ok, .list(of: LimitStep.output)), problems: [.notFound]
    ) { caller, inputs in
        let (id, parameter) = (inputs[ReadingInputs.device], inputs[ReadingInputs.parameter])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            guard let subject = try transaction.execute(FindWatchSubject(parameter, of: id, for: account)).first
            else { throw Problem(.notFound) }
            let end = inputs[ReadingInputs.until] ?? subject.now + .seconds(86_400)
            let start = max(inputs[ReadingInputs.from] ?? end - .seconds(8 * 86_400), end - longest)
            guard start < end else { throw Problem(ReadingInputs.from, .periodEnds) }
            let turns = try transaction.turns(of: [subject.range], in: start..<end)[0]
            return .value(
                turns.pieces(of: start..<end).map { LimitStep(time: $0.time, range: subject.range.held(at: $0.place)) })
        }
    }
}
