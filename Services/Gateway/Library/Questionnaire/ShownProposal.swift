import Routes
import WaterQuality
import Words

/// Proposed limits as the person is shown them: in their unit, beside what they have now.
struct ShownProposal: Sendable {
    let proposal: LimitProposal
    let now: PersonalRange
    /// The person's own range of the temperature, for its unit.
    let temperature: PersonalRange?
    let language: Language
    /// Whether a probe measures it; `nil`: not said.
    let isMeasured: Bool?

    static let output = Output<ShownProposal>.object(
        "LimitProposal", "Limits that follow from the answers. Nothing of it holds before the person takes it over.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.", example: "temperature") {
                Parameter.Name($0.proposal.parameter)
            },
            .member("unit", .choice(Unit.self), "The person's unit, of all numbers here.", example: "C") {
                $0.now.scale.unit
            },
            .member("decimals", .integer, "Their digits behind the decimal mark.", example: 1) {
                $0.now.scale.decimals
            },
            .member("nowMinimum", .optional(of: .decimal), "The minimum that holds; null: none.", example: 12) {
                shown in
                shown.now.minimum.map(shown.now.shown)
            },
            .member("nowMaximum", .optional(of: .decimal), "The maximum that holds; null: none.", example: 24) {
                shown in
                shown.now.maximum.map(shown.now.shown)
            },
            .member("minimum", .optional(of: ShownReason.output), "The minimum that is proposed; null: none.") {
                $0.reason($0.proposal.minimum)
            },
            .member("maximum", .optional(of: ShownReason.output), "The maximum that is proposed; null: none.") {
                $0.reason($0.proposal.maximum)
            },
            .member(
                "difference", .choice(LimitProposal.Difference.self),
                "What it is beside the limits that hold: wider where it allows something that alarms now."
            ) { $0.proposal.difference(from: $0.now) },
            .member(
                "preselected", .boolean,
                "Whether it may be taken over with the others unless the person says no. What is wider than limits that somebody set is not.",
                example: true
            ) { $0.proposal.isPreselected(over: $0.now) },
            .member(
                "followsSeason", .boolean,
                "Whether what species need at least was left out, since the tank stays outdoors in winter.",
                example: false
            ) { $0.proposal.followsSeason },
            .member("measured", .optional(of: .boolean), "Whether a probe measures it; null: not said.") {
                $0.isMeasured
            },
            .member(
                "clash", .optional(of: clash),
                "Two that cannot live in the same water; the limits are then those of what is kept. null: none."
            ) { shown in
                shown.proposal.clash.map { ShownClash(needs: shown.reason($0.needs), bears: shown.reason($0.bears)) }
            },
        ])

    private func reason(_ limit: LimitProposal.Reasoned) -> ShownReason {
        ShownReason(limit: limit, range: now, temperature: temperature, language: language)
    }

    private func reason(_ limit: LimitProposal.Reasoned?) -> ShownReason? { limit.map { reason($0) } }

    private struct ShownClash: Sendable {
        let needs: ShownReason
        let bears: ShownReason
    }

    private static let clash = Output<ShownClash>.object(
        "LimitClash", "Two of whom one needs more than the other bears.",
        [
            .member("needs", ShownReason.output, "Who needs at least this much.") { $0.needs },
            .member("bears", ShownReason.output, "Who bears at most this much.") { $0.bears },
        ])
}

/// A proposed limit, and who asks for it.
struct ShownReason: Sendable {
    let limit: LimitProposal.Reasoned
    let range: PersonalRange
    let temperature: PersonalRange?
    let language: Language

    enum Kind: String, CaseIterable, Sendable {
        case kind, species
    }

    static let output = Output<ShownReason>.object(
        "ReasonedLimit", "A proposed limit, and who asks for it.",
        [
            .member("value", .decimal, "The limit.", example: 24) { $0.range.shown($0.limit.limit) },
            .member("of", .choice(Kind.self), "Whether it is of what is kept, or of one species.", example: "species") {
                $0.kind
            },
            .member("id", .text, "The name of the preset, or the id of the species.", example: "carassius-auratus") {
                $0.id
            },
            .member("name", .text, "What that is called, in the person's language.", example: "Goldfish") { $0.name },
            .member("sources", .list(of: .text), "Who says so.", example: ["Peter Sadlon, goldfish"]) {
                $0.limit.sources
            },
            .member(
                "freeAmmonia", .optional(of: free),
                "Of a total of ammonia that follows from its free part: how; null otherwise."
            ) { shown in
                if case .freeAmmonia(let bound) = shown.limit.origin { (bound, shown.temperature) } else { nil }
            },
            .member("convention", .boolean, "Whether keepers have it so, and no authority or study.", example: false) {
                $0.limit.isConvention
            },
        ])

    /// The kinds that ask for it: of ammonia, those that bear no more of its free part.
    private var bearer: FreeAmmoniaBound.Bearer {
        switch limit.origin {
        case .kind(let preset): .kind(preset)
        case .species(let species, let source): .species(species, source)
        case .freeAmmonia(let bound): bound.bearer
        }
    }

    private var kind: Kind { if case .kind = bearer { .kind } else { .species } }

    private var id: String {
        switch bearer {
        case .kind(let preset): preset.rawValue
        case .species(let species, _): species.id
        }
    }

    private var name: String {
        switch bearer {
        case .kind(let preset): preset.name(in: language)
        case .species(let species, _): species.name(in: language)
        }
    }

    private static let free = Output<(bound: FreeAmmoniaBound, temperature: PersonalRange?)>.object(
        "FreeAmmoniaReason", "How a total of ammonia follows from its free part, in the water of this tank.",
        [
            .member("most", .decimal, "What is borne, in mg/L as NH3.", example: 0.02) {
                $0.bound.most.shownDouble
            },
            .member("ph", .decimal, "The most alkaline water that the limits allow.", example: 8.5) {
                Parameter.ph.value(of: $0.bound.ph).shownDouble
            },
            .member("temperature", .decimal, "The warmest, in the unit beside it.", example: 29) {
                $0.temperature?.shown($0.bound.temperature)
                    ?? Parameter.temperature.value(of: $0.bound.temperature).shownDouble
            },
            .member("unit", .choice(Unit.self), "The person's unit of temperature.", example: "C") {
                $0.temperature?.scale.unit ?? Parameter.temperature.canonicalUnit
            },
        ])
}
