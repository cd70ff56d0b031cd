import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of presets, limits for what people keep: a starting point when a device is linked, and later.
enum PresetRoutes {
    static let all = [list, apply].forProjects()

    private static let list = Route<Caller>(
        .get, "/presets", id: "listPresets", tag: ParameterRoutes.tag, access: .read,
        "List limits for what people keep",
        text: "Starting points. A parameter that a preset does not name keeps its limits.",
        answers: .json(.ok, .list(of: ShownPreset.output))
    ) { caller, _ in
        // A transaction as the person, because only that makes their language known.
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { _, _ in }
        let language = caller.scope.language
        return .value(Preset.allCases.map { ShownPreset(preset: $0, language: language) })
    }

    private static let preset = Input.field("preset", .choice(Preset.self), "What lives in the water.")

    private static let apply = Route<Caller>(
        .post, "/devices/{device}/parameters/preset", id: "applyPreset", tag: ParameterRoutes.tag, access: .write,
        "Take over the limits of a preset",
        text: """
            All of them at once; they hold from the next reading on. Units, delays, colours and order stay; critical limits \
            beside the former limits go. If-Match takes the ETag of the list of parameters.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, preset],
        answers: .json(.ok, .list(of: .parameter), headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, preset) = (inputs[DeviceInputs.device], inputs[preset])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockDevice(id, of: account)
            try condition.requireMatch(try transaction.parameters(of: owned.device, account).tag)
            try transaction.apply(preset, to: owned.device, of: account)
            return try transaction.parameters(of: owned.device, account).answer
        }
    }
}

private struct ShownPreset: Sendable {
    let preset: Preset
    let language: Language

    static let output = Output<ShownPreset>.object(
        "Preset", "Limits for what somebody keeps.",
        [
            .member("id", .choice(Preset.self), "Its name in requests.") { $0.preset },
            .member("name", .text, "What it is called, in the person's language.", example: "Reef tank") {
                $0.preset.name(in: $0.language)
            },
            .member(
                "sources", .list(of: .text), "Where the limits are from.", example: ["reefsolutionsnv.com"]
            ) { $0.preset.sources },
            .member("limits", .list(of: PresetLimits.output), "The limits of each parameter that it names.") { shown in
                Parameter.allCases.compactMap { parameter in
                    shown.preset.limits(of: parameter).map { PresetLimits(parameter: parameter, limits: $0) }
                }
            },
        ])
}

private struct PresetLimits: Sendable {
    let parameter: Parameter
    let limits: Preset.Limits

    private var range: PersonalRange {
        PersonalRange(
            parameter: parameter, unit: parameter.canonicalUnit, minimum: limits.minimum, maximum: limits.maximum)
    }

    static let output = Output<PresetLimits>.object(
        "PresetLimits", "The limits of one parameter.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter's name.", example: "temperature") {
                Parameter.Name($0.parameter)
            },
            .member("minimum", .optional(of: .decimal), "The minimum; null: none.", example: 24) { preset in
                preset.limits.minimum.map(preset.range.shown)
            },
            .member("maximum", .optional(of: .decimal), "The maximum; null: none.", example: 27) { preset in
                preset.limits.maximum.map(preset.range.shown)
            },
            .member("unit", .choice(Unit.self), "The unit of both: the parameter's canonical one.", example: "C") {
                $0.parameter.canonicalUnit
            },
            .member("decimals", .integer, "The digits behind the decimal mark of both.", example: 1) {
                $0.parameter.decimals
            },
            .member(
                "convention", .boolean, "Whether keepers have it so, rather than a source of weight.", example: false
            ) { $0.limits.isConvention },
        ])
}
