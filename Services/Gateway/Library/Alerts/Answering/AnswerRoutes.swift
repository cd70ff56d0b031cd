import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes by which people say who is on it.
enum AnswerRoutes {
    static let all = [list, give] + AnswerLinkRoutes.all

    private static let list = Route<Caller>(
        .get, "/answers", id: "listAnswers", tag: AlertRoutes.tag.name, access: .read, "List who is on what",
        text: "Of what goes on with the person's devices, also where nobody told them of it.",
        answers: .json(.ok, .list(of: ShownAnswer.output))
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            .value(try transaction.execute(ListAnswers()))
        }
    }

    private static let answer = Input.field(
        "answer", .choice(AlarmAnswer.self),
        "onIt; solved: by whoever is on it; cannot: whoever was on it is no longer.")

    private static let give = Route<Caller>(
        .post, "/alerts/{alert}/answer", id: "answerAlert", tag: AlertRoutes.tag.name, access: .write,
        "Answer an alarm",
        text: """
            \u{201C}I'm on it\u{201D}: everybody who shares the device sees who, and is not reminded of what goes on for an hour. \
            A value beyond a person's critical limit, or worse by a quarter of their range, is told all the same. The first who says it \
            is on it; a second is told who was faster. It ends for all when its person can't, snoozes, or leaves the device.
            """,
        inputs: [AlertInputs.alert, answer], answers: .json(.ok, GivenAnswer.output),
        problems: [.notFound, .nothingToSnooze, .episodeOver]
    ) { caller, inputs in
        let (reference, answer) = (inputs[AlertInputs.alert], inputs[answer])
        return try await caller.scope.transaction { transaction, account in
            guard let alert = try transaction.alert(reference, of: account) else { throw Problem(.notFound) }
            guard alert.isAnswerable else { throw Problem(.nothingToSnooze) }
            switch try transaction.execute(GiveAnswer(answer, to: alert.key)).first {
            case .done, .faster: break
            case .over: throw Problem(.episodeOver)
            case .unknown, nil: throw Problem(.notFound)
            }
            return .value(GivenAnswer(onIt: try transaction.execute(ListAnswers()).first { $0.isOf(alert) }))
        }
    }
}

extension StoredAlert {
    /// Whether there is something to be on: a test, or what only a newer version knows, is nothing.
    var isAnswerable: Bool {
        if case .other = content { return false }
        return device != nil && kind.known.map { $0 != .test } ?? false
    }
}
