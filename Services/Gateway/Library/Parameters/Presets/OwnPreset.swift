import Postgres
import Routes
import Store
import WaterQuality

/// A preset of a person's or a project's own.
struct OwnPreset: Sendable {
    let id: OwnPresetID
    let name: String
    /// The project whose it is; nil: it is the account's that asks.
    let project: String?
    let version: Int32
    /// Each parameter once, in the order of parameters.
    var ranges: [PersonalRange]

    /// The most that a list has: all of an account's own, and of projects the first by their names.
    static let most = 250

    var tag: EntityTag { EntityTag(version: Int64(version)) }

    static let output = Output<OwnPreset>.object(
        "OwnPreset", "Limits under a name, of a person's or a project's own.",
        [
            .member("id", .id, "Its name in requests.", example: "0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e") { $0.id },
            .member("name", .text, "What it is called.", example: "Trout, first year") { $0.name },
            .member(
                "project", .optional(of: .text), "The project whose it is, where it is not the account's own.",
                example: .null
            ) { $0.project },
            .member("version", .integer, "Counts its changes.", example: 1) { Int($0.version) },
            .member(
                "parameters", .list(of: .parameter),
                "The parameters that it names, as a device has them that took it over. Colour and order say nothing."
            ) { preset in preset.ranges.map(PersonParameter.init(range:)) },
        ])
}

extension PersonParameter {
    /// A parameter that no device has.
    fileprivate init(range: PersonalRange) {
        let defaults = range.parameter.defaults
        let setting = ReadSetting.Row(
            version: 1, unit: range.unit.rawValue, minimum: nil, maximum: nil, colour: defaults.color,
            position: defaults.order)
        self.init(parameter: range.parameter, setting: setting.with(range))
    }
}
