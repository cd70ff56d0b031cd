import HTTPTypes
import Routes
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

    private static let list = Route<Caller>(
        .get, "/reminder-proposals", id: "listReminderProposals", tag: ReminderRoutes.tag, access: .read,
        "List reminders to begin with",
        text: "By what keepers do; their rhythms are conventions.", answers: .json(.ok, .list(of: Shown.output))
    ) { caller, _ in
        // The language of a person who asks for none is known once they are.
        _ = try await caller.scope.person()
        let language = caller.scope.language
        return .value(
            CareProposal.all.map { Shown(proposal: $0, name: language.text("care.\($0.activity.rawValue)")) })
    }
}
