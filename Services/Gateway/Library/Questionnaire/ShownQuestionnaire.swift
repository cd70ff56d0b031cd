import HTTPTypes
import Instants
import Routes
import Store
import WaterQuality
import Words

/// The answers about a tank, and what follows from them.
struct ShownQuestionnaire: Sendable {
    let stored: StoredAnswers
    let proposals: [ShownProposal]
    /// The version of all limits beside which they were proposed.
    let parametersTag: EntityTag

    init(_ stored: StoredAnswers, settings: [ListSettings.Row], language: Language) {
        self.stored = stored
        parametersTag = settings.map { PersonParameter(parameter: $0.parameter, setting: $0.setting) }.tag
        let answers = stored.answers
        let proposed = answers.proposals
        let temperature = settings.first { $0.parameter == .temperature }?.setting.range(of: .temperature)
        proposals = settings.compactMap { row in
            proposed.first { $0.parameter == row.parameter }.map { proposal in
                ShownProposal(
                    proposal: proposal, now: row.setting.range(of: row.parameter), temperature: temperature,
                    language: language,
                    isMeasured: answers.probes.map { $0.contains(ParameterSet(row.parameter)) })
            }
        }
    }

    var answer: Answer<ShownQuestionnaire> { .value(self, headers: [.eTag: stored.tag.description]) }

    static let output = Output<ShownQuestionnaire>.object(
        "Questionnaire", "What is said of a tank, and what follows from it.",
        [
            .member("version", .integer, "Counts the answers; 0: nothing was answered yet.", example: 1) {
                Int($0.stored.version)
            },
            .member("at", .optional(of: .timestamp), "When it was answered.") { $0.stored.at },
            .member("by", .optional(of: CarePerson.output), "Who answered; null: somebody who is gone, or nobody yet.")
            {
                $0.stored.by
            },
            .member("answers", answers, "What was said.") { $0.stored.answers },
            .member("proposals", .list(of: ShownProposal.output), "In the order of the parameters on the screen.") {
                $0.proposals
            },
            .member(
                "parametersTag", .text,
                "The ETag of the list of parameters as it was when these were proposed: with it, taking limits over is refused once another one holds.",
                example: "\"v1-1\""
            ) { $0.parametersTag.description },
            .member(
                "strangers", .list(of: .text),
                "The ids of the species that live in other water, fresh or salt, than what is kept, or else than the first of them.",
                example: []
            ) { $0.stored.answers.strangers.map(\.id) },
            .member(
                "reminders", .list(of: .text), "The ids of the reminder proposals that fit.", example: ["water-change"]
            ) { $0.stored.answers.reminders.map(\.id) },
        ])

    private static let answers = Output<TankAnswers>.object(
        "TankAnswers", "What a keeper says of a tank; null: not said.",
        [
            .member("kind", .optional(of: .choice(Preset.self)), "What is kept; null: none of these, or not said.") {
                $0.kind
            },
            .member("species", .list(of: .text), "The ids of the species in it.", example: ["carassius-auratus"]) {
                $0.species.map(\.id)
            },
            .member("litres", .optional(of: .decimal), "How much water it is.", example: 180) { $0.litres },
            .member("outdoors", .optional(of: .boolean), "Whether it is outdoors.", example: false) {
                $0.place.map { $0 != .indoors }
            },
            .member(
                "winter", .optional(of: .choice(TankAnswers.Winter.self)), "What becomes of them in winter.",
                example: .null
            ) { if case .outdoors(let winter) = $0.place { winter } else { nil } },
            .member("plants", .optional(of: .boolean), "Whether plants grow in it.") { $0.hasPlants },
            .member("carbonDioxide", .optional(of: .boolean), "Whether carbon dioxide is added for them.") {
                $0.addsCarbonDioxide
            },
            .member("probes", .optional(of: .list(of: .choice(Parameter.Name.self))), "What probes measure.") {
                $0.probes.map { $0.parameters.map { Parameter.Name($0) } }
            },
        ])
}
