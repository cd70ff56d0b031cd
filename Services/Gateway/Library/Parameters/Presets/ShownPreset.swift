import Routes
import Store
import WaterQuality
import Words

/// A preset in a list of choices.
struct ShownPreset: Sendable {
    private let choice: PresetChoice
    private let name: String
    private let project: String?
    private let sources: [String]
    private let limits: [PresetLimits]

    init(_ preset: Preset, _ language: Language) {
        choice = .known(preset)
        name = preset.name(in: language)
        project = nil
        sources = preset.sources
        limits = Parameter.allCases.compactMap { parameter in
            preset.limits(of: parameter).map { PresetLimits(parameter, $0) }
        }
    }

    init(_ preset: OwnPreset) {
        choice = .own(preset.id)
        name = preset.name
        project = preset.project
        sources = []
        limits = preset.ranges.map(PresetLimits.init)
    }

    static let output = Output<ShownPreset>.object(
        "Preset", "Limits for what somebody keeps.",
        [
            .member("id", .text, "Its name in requests.", example: "reef") { $0.choice.text },
            .member(
                "name", .text, "What it is called: by whose it is, or in the person's language.", example: "Reef tank"
            ) { $0.name },
            .member("own", .boolean, "Whether it is a person's or a project's own.", example: false) {
                if case .own = $0.choice { true } else { false }
            },
            .member(
                "project", .optional(of: .text), "The project whose it is, where it is not the account's own.",
                example: .null
            ) { $0.project },
            .member(
                "sources", .list(of: .text), "Where the limits are from.", example: ["reefsolutionsnv.com"]
            ) { $0.sources },
            .member("limits", .list(of: PresetLimits.output), "The limits of each parameter that it names.") {
                $0.limits
            },
        ])
}

private struct PresetLimits: Sendable {
    private let isConvention: Bool
    /// In the canonical unit.
    private let range: PersonalRange

    init(_ parameter: Parameter, _ limits: Preset.Limits) {
        range = PersonalRange(
            parameter: parameter, unit: parameter.canonicalUnit, minimum: limits.minimum, maximum: limits.maximum)
        isConvention = limits.isConvention
    }

    init(_ range: PersonalRange) {
        var canonical = range
        canonical.unit = range.parameter.canonicalUnit
        self.range = canonical
        isConvention = false
    }

    static let output = Output<PresetLimits>.object(
        "PresetLimits", "The limits of one parameter.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter's name.", example: "temperature") {
                Parameter.Name($0.range.parameter)
            },
            .member("minimum", .optional(of: .decimal), "The minimum; null: none.", example: 24) { preset in
                preset.range.minimum.map(preset.range.shown)
            },
            .member("maximum", .optional(of: .decimal), "The maximum; null: none.", example: 27) { preset in
                preset.range.maximum.map(preset.range.shown)
            },
            .member(
                "criticalMinimum", .optional(of: .decimal), "The critical minimum; null: none.", example: .null
            ) { preset in preset.range.criticalMinimum.map(preset.range.shown) },
            .member(
                "criticalMaximum", .optional(of: .decimal), "The critical maximum; null: none.", example: .null
            ) { preset in preset.range.criticalMaximum.map(preset.range.shown) },
            .member("periods", .integer, "How many limits at other times it has.", example: 0) {
                $0.range.periods?.all.count ?? 0
            },
            .member("unit", .choice(Unit.self), "The unit of all: the parameter's canonical one.", example: "C") {
                $0.range.parameter.canonicalUnit
            },
            .member("decimals", .integer, "The digits behind the decimal mark of all.", example: 1) {
                $0.range.parameter.decimals
            },
            .member(
                "convention", .boolean, "Whether keepers have it so, rather than a source of weight.", example: false
            ) { $0.isConvention },
        ])
}
