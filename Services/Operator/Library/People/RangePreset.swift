import ArgumentParser
import People
import Postgres
import Store
import WaterQuality
import Words

/// `aqua range preset`
struct RangePreset: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset",
        abstract: "Takes over limits for what a person keeps, or lists them.",
        discussion: """
            A starting point: a parameter that the preset does not name keeps its limits. Units, delays, colours and order \
            stay; critical limits beside the former limits go. --list shows the limits of each, and where they are from.

            Example:  aqua range preset --list
                      aqua range preset ada@example.org pond-1 goldfish_koi
            Presets:  \(Preset.allCases.map(\.rawValue).joined(separator: ", "))
            """)

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress?
    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID?
    @Argument(help: "The preset.", transform: Preset.init(argument:))
    var preset: Preset?
    @Flag(help: "Show all presets, with where their limits are from; nothing is changed.")
    var list = false
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        if list {
            guard email == nil else {
                throw OperatorError(.invalidInput, "--list takes no person: it shows all presets.")
            }
            return try context.console.show(PresetsReport(Preset.allCases), output)
        }
        guard let email, let device, let preset else {
            throw OperatorError(
                .invalidInput, "Name a person, a device and a preset; aqua range preset --list shows them.")
        }
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: email)
            return try await connection.transaction { transaction in
                let owned = try transaction.ownership(of: device, email, account)
                _ = try transaction.execute(TakeLimits(LimitsDocument(preset), on: [owned.device], of: account))
                let settings = try transaction.execute(ListSettings(of: owned.device, by: account))
                return PresetReport(
                    preset, device,
                    settings.map { RangeReport(device, $0.setting.range(of: $0.parameter), isChange: true) })
            }
        }
        try context.console.show(report, output)
    }
}

/// The limits after a preset was applied.
struct PresetReport: Report {
    var preset: String
    var deviceId: String
    /// The limits of all parameters that have any.
    var limits: [RangeReport]

    init(_ preset: Preset, _ device: Device.HardwareID, _ limits: [RangeReport]) {
        self.preset = preset.rawValue
        deviceId = device.text
        self.limits = limits.filter(\.hasLimits)
    }

    var text: String { limits.map(\.text).joined(separator: "\n") }
}

struct PresetsReport: Report {
    struct Line: Encodable {
        var preset: String
        var name: String
        var sources: [String]
        var limits: [Limits]
    }

    struct Limits: Encodable {
        var parameter: String
        var minimum: Double?
        var maximum: Double?
        /// The parameter's canonical unit.
        var unit: String
        /// Whether the limits are a convention among keepers, rather than from a source of weight.
        var convention: Bool
        fileprivate var told: String

        private enum CodingKeys: CodingKey { case parameter, minimum, maximum, unit, convention }
    }

    var presets: [Line]

    init(_ presets: [Preset]) {
        self.presets = presets.map { preset in
            Line(
                preset: preset.rawValue, name: preset.name(in: .en), sources: preset.sources,
                limits: Parameter.allCases.compactMap { parameter in
                    preset.limits(of: parameter).map { Limits(parameter, $0) }
                })
        }
    }

    var text: String {
        presets.map { preset in
            var table = TextTable(["PARAMETER", "LIMITS", "FROM"])
            for limits in preset.limits {
                table.add([limits.parameter, limits.told, limits.convention ? "keepers' convention" : "the sources"])
            }
            let sources = preset.sources.joined(separator: ", ")
            return "\(preset.preset): \(preset.name)\nSources: \(sources)\n\(table.text)"
        }.joined(separator: "\n\n")
    }
}

extension PresetsReport.Limits {
    fileprivate init(_ parameter: Parameter, _ limits: Preset.Limits) {
        let unit = parameter.canonicalUnit
        let range = PersonalRange(
            parameter: parameter, unit: unit, minimum: limits.minimum, maximum: limits.maximum)
        func text(_ steps: Steps) -> String { parameter.text(parameter.value(of: steps), in: unit, .en) }
        let told =
            switch (limits.minimum, limits.maximum) {
            case (let minimum?, let maximum?): "\(text(minimum)) to \(text(maximum))"
            case (let minimum?, nil): "at least \(text(minimum))"
            case (nil, let maximum?): "at most \(text(maximum))"
            case (nil, nil): "none"
            }
        self.init(
            parameter: parameter.name, minimum: range.minimum.map(range.shown), maximum: range.maximum.map(range.shown),
            unit: unit.rawValue, convention: limits.isConvention, told: told)
    }
}
