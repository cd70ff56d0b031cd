import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// The route of reminders that are proposed.
enum ProposalRoutes {
    static let all = [list]

    private struct Shown: Sendable {
        var proposal: CareProposal
        var name: String

        static let output = Output<Shown>.object(
            "ReminderProposal", "A reminder that is proposed.",
            [
                .member("id", .text, "The name of the proposal.", example: "water-change") { $0.proposal.id },
                .member("name", .text, "What it may be called, in the language of the answer.", example: "Water change")
                { $0.name },
                .member("activity", .choice(CareActivity.self), "What is to be done.") { $0.proposal.activity },
                .member("rhythm", .rhythm, "When it recurs.") { $0.proposal.recurrence },
                .member("at", .text, "The time of day.", example: "18:00") { TimeOfDay.text(of: $0.proposal.minute) },
            ])
    }

    private static let device = Input<Device.HardwareID?>.optionalQuery(
        "device", .hardwareID, "Those that fit what is said of this device's tank.")

    private static let list = Route<Caller>(
        .get, "/reminder-proposals", id: "listReminderProposals", tag: ReminderRoutes.tag, access: .read,
        "List reminders to begin with",
        text: "By what keepers do; their rhythms are conventions.", inputs: [device],
        answers: .json(.ok, .list(of: Shown.output)), problems: [.notFound]
    ) { caller, inputs in
        let device = inputs[device]
        // A transaction as the person, because only that makes their language known.
        let answers = try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard let device else { return TankAnswers() }
            return try transaction.answers(of: try transaction.tank(of: device).key).answers
        }
        let language = caller.scope.language
        return .value(
            answers.reminders.map { Shown(proposal: $0, name: language.text("care.\($0.activity.rawValue)")) })
    }
}
