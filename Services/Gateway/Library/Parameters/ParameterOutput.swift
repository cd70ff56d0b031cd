import Routes
import Store
import WaterQuality

/// A parameter of a device as a person has set it.
struct PersonParameter: Sendable {
    let parameter: Parameter
    let setting: ReadSetting.Row
    /// The present limits of those that change by the clock.
    var held: HeldLimits?

    init(parameter: Parameter, setting: ReadSetting.Row) {
        self.parameter = parameter
        self.setting = setting
    }

    var range: PersonalRange { setting.range(of: parameter) }
    /// The version of the person's setting.
    var tag: EntityTag { EntityTag(version: Int64(setting.version)) }
}

extension Output where Value == PersonParameter {
    static let parameter = Output.object(
        "Parameter", "A parameter of a device, with the limits beyond which the person is alerted.",
        limits + WatchSetting.allCases.map(SettingInput.member) + water)

    private static let limits: [OutputMember<PersonParameter>] =
        [
            .member("name", .choice(Parameter.Name.self), "Its name.", example: "temperature") {
                Parameter.Name($0.parameter)
            },
            .member("unit", .choice(Unit.self), "The unit of all numbers here.") { $0.range.unit },
            .member("units", .list(of: .choice(Unit.self)), "The units that can be chosen.", example: ["C", "F"]) {
                $0.parameter.choosableUnits
            },
            .member(
                "minimum", .optional(of: .decimal), "The least value that is in range; null: there is none.",
                example: 12
            ) { parameter in parameter.range.minimum.map(parameter.range.shown) },
            .member(
                "maximum", .optional(of: .decimal), "The greatest value that is in range; null: there is none.",
                example: 24
            ) { parameter in parameter.range.maximum.map(parameter.range.shown) },
            .member(
                "criticalMinimum", .optional(of: .decimal),
                "A value below this one alarms at once, past delay, snooze and throttle; null: there is none.",
                example: 5
            ) { parameter in parameter.range.criticalMinimum.map(parameter.range.shown) },
            .member(
                "criticalMaximum", .optional(of: .decimal), "A value above this one does; null: there is none.",
                example: 30
            ) { parameter in parameter.range.criticalMaximum.map(parameter.range.shown) },
            .member("periods", .list(of: ShownPeriod.output), "Limits at other times, in place of those above.") {
                ShownPeriod.all(of: $0.range)
            },
            .member(
                "periodZone", .optional(of: .text),
                "The IANA time zone by whose clock they begin and end; null: there are none.",
                example: "Europe/Vienna"
            ) { $0.setting.periods?.zone },
            .member(
                "held", .optional(of: HeldLimits.output),
                "The limits that hold just now; null: they are always those above."
            ) {
                $0.held
            },
        ]

    private static let water: [OutputMember<PersonParameter>] =
        [
            .member("change", PersonParameter.change, "What changePerHour can be.") { $0 },
            .member(
                "hasMinimum", .boolean, "Whether a minimum can be set, which cannot be where the best value is zero."
            ) { $0.parameter.hasMinimumSetting },
            .member("least", .decimal, "The least value that the sensor measures.", example: -40) { parameter in
                parameter.range.shown(parameter.parameter.absoluteRange.lowerBound)
            },
            .member("greatest", .decimal, "The greatest value that the sensor measures.", example: 40) { parameter in
                parameter.range.shown(parameter.parameter.absoluteRange.upperBound)
            },
            .member(
                "decimals", .integer, "How many digits behind the decimal mark values in this unit have.", example: 1
            ) { $0.range.scale.decimals },
            .member("scale", ShownScale.output, "How values of the canonical unit become values in this unit.") {
                ShownScale($0.range)
            },
            .member(
                "computedFrom", .list(of: .choice(Parameter.Name.self)),
                "What it is computed from where the device does not send it; none: only a probe tells.", example: []
            ) { parameter in (parameter.parameter.derivation?.inputs ?? []).map { Parameter.Name($0) } },
            .member("colour", .text, "A CSS colour: #rrggbb, or a name.", example: "red") { $0.setting.colour },
            .member("position", .integer, "Its place on the screen, from 0.", example: 0) { Int($0.setting.position) },
            .member(
                "follows", .boolean, "Whether the limits are those of the device's project, and change with them.",
                example: false
            ) { $0.setting.follows },
            .member("version", .integer, "Counts its changes.", example: 1) { Int($0.setting.version) },
        ]
}

extension PersonParameter {
    fileprivate static let change = Output<PersonParameter>.object(
        "ChangeOfParameter", "How changes of a parameter are told.",
        [
            .member(
                "unit", .choice(Unit.self),
                "The unit: the person's, or the canonical one where a difference has no fixed size in the person's, as in "
                    + "specific gravity.", example: "C"
            ) { $0.range.changeScale.unit },
            .member("decimals", .integer, "Its digits behind the decimal mark.", example: 1) {
                $0.range.changeScale.decimals
            },
            .member("least", .decimal, "The least change that can be limited.", example: 0.1) { parameter in
                parameter.range.shownChange(ChangeLimit.bounds(of: parameter.parameter).lowerBound)
            },
            .member("greatest", .decimal, "The greatest.", example: 80) { parameter in
                parameter.range.shownChange(ChangeLimit.bounds(of: parameter.parameter).upperBound)
            },
        ])
}
