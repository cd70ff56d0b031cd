import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes by which people say who is on it.
enum AnswerRoutes {
    static let all = [list, give] + AnswerLinkRoutes.all + CallAnswerRoutes.all

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

    private static let kind = Input.field("kind", .choice(Alert.Kind.self), "What goes on.")
    private static let parameter = Input.optionalField(
        "parameter", .choice(Parameter.Name.self), "Of which parameter; none for the silence of a whole device.")
    private static let side = Input.optionalField("side", .choice(Side.self), "On which side, for the kind range.")

    private static let give = Route<Caller>(
        .post, "/devices/{device}/answer", id: "answerAlarm", tag: AlertRoutes.tag.name, access: .write,
        "Answer what goes on with a device",
        text: """
            \u{201C}I'm on it\u{201D}: everybody who shares the device sees who, and whoever had been told of it is not reminded for an hour. \
            A value beyond a person's critical limit, or worse by a quarter of their range, is told all the same. The first who says it \
            is on it; a second is told who was faster. It ends for all when its person can't, snoozes, or leaves the device.
            """,
        inputs: [DeviceInputs.device, kind, parameter, side, answer], answers: .json(.ok, GivenAnswer.output),
        problems: [.notFound, .episodeOver]
    ) { caller, inputs in
        let (device, kind, side, answer) = (inputs[DeviceInputs.device], inputs[kind], inputs[side], inputs[answer])
        let parameter = inputs[parameter]?.parameter
        return try await caller.scope.transaction { transaction, account in
            let subject = SnoozeKey(
                device: try transaction.personDevice(device).key, account: account, kind: kind, parameter: parameter,
                side: side)
            switch try transaction.execute(GiveAnswer(answer, to: subject)).first {
            case .done, .faster: break
            case .over: throw Problem(.episodeOver)
            case .unknown, nil: throw Problem(.notFound)
            }
            let shown = ShownSubject(subject, of: device.text)
            let onIt = try transaction.execute(ListAnswers()).first { $0.subject == shown }
            return .value(GivenAnswer(onIt: onIt))
        }
    }
}
