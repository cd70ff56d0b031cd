import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The route that explains why a person was alerted, or was not.
enum WhyRoutes {
    static let all = [explain].forProjects()

    private static let from = Input<Timestamp?>.optionalQuery(
        "from", .timestamp, "The beginning, included. Without it: an hour before the end. A week before it at most.")
    private static let until = Input<Timestamp?>.optionalQuery(
        "until", .timestamp, "The end, not included. Without it: now.")

    private static let explain = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}/why", id: "explainDecisions", tag: ParameterRoutes.tag,
        access: .read, "Explain what came of readings",
        text: """
            Tells step by step what came in a stretch of time, which limits held then, what was decided and why, and what \
            became of it. What is stored (changes of episodes, alerts, deliveries) says what happened. The readings in \
            between are decided once more by the settings of their time, and those that meant the same are one step. The \
            newest \(Explanation.mostSteps) steps are told, of about \(Explanation.mostReadings) readings at most. What was \
            before the device was the person's is not told. Few run at a time for a person, and few in a row: 429 tells \
            when to ask again.
            """,
        inputs: [ReadingInputs.device, ReadingInputs.parameter, from, until],
        answers: .json(.ok, WhyAnswer.output), problems: [.notFound], limit: .heavy,
        handle: { caller, inputs in
            let scope = caller.scope
            let subject = try await scope.watch(inputs[ReadingInputs.parameter], of: inputs[ReadingInputs.device])
            let asked = try Self.asked(inputs, now: subject.now)
            return try await scope.services.backTests.run(for: subject.watch.account) {
                let found = try await subject.explain(asked, scope.services.policy) { period in
                    let past = try await scope.pastReadings(
                        of: subject.watch, in: period, most: Explanation.mostReadings, withHistory: true)
                    let stretch = WatchStretch(subject.watch, in: past.covered(of: period))
                    let stored = try await scope.services.heavy.job(of: subject.watch.account).turn {
                        try await scope.transaction(SeriesRequest.transaction) { transaction, _ in
                            try transaction.past(of: stretch)
                        }
                    }
                    return (past, stored)
                }
                guard let found else { return .value(WhyAnswer(subject: subject, period: asked)) }
                let times = Array(Set(found.explanation.steps.flatMap(\.toldTimes)))
                let local = try await scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
                    try transaction.execute(ReadLocalTimes(times, of: account))
                }
                var answer = WhyAnswer(subject: subject, period: found.period)
                answer.readings = found.readings
                answer.isComplete = found.isComplete
                answer.tell(
                    found.explanation.steps, in: scope.language, zip(times, local))
                return .value(answer)
            }
        })

    /// - Throws: `Problem` when the period is empty or too long.
    private static func asked(_ inputs: Inputs, now: Timestamp) throws -> Range<Timestamp> {
        let end = min(inputs[until] ?? .distantFuture, now + EventTime.furthestAhead)
        let start = inputs[from] ?? min(end, now) - .seconds(3_600)
        guard start < end else { throw Problem(from, .periodEnds) }
        guard end - start <= Explanation.longest + EventTime.furthestAhead else {
            throw Problem(from, .periodTooLong)
        }
        return start..<end
    }
}

extension Fault {
    static let periodTooLong = Fault("period-too-long")
}
