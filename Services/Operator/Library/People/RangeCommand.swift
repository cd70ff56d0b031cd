import ArgumentParser
import People
import Postgres
import Store
import WaterQuality
import Words

struct RangeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "range", abstract: "The limits beyond which a person is alerted.",
        subcommands: [RangeSet.self, RangeTest.self, RangePreset.self])
}

/// `aqua range set`
struct RangeSet: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a person's limits of a parameter, or shows them.",
        discussion: """
            Limits are in the unit given, or else in the one that the person has chosen, and snap to what the sensor can \
            tell apart: the values that hold are shown. A limit of none is no limit. They hold at once.

            Critical limits lie beyond the others: a value beyond them alarms at once, past delay, snooze and throttle.
            With --unstable once, a value that keeps leaving its range and returning is told once, in place of its alarms.
            With --change, a greater change within an hour alarms, up or down, also within the limits.
            With --ahead, an alert is sent this long before a limit would be reached if the trend continues.

            Example:  aqua range set ada@example.org pond-1 temperature --min 50 --max 77.5 --unit F
                      aqua range set ada@example.org pond-1 dissolved_oxygen --after 10m --critical-min 4
                      aqua range set ada@example.org pond-1 temperature --change 3
                      aqua range set ada@example.org pond-1 dissolved_oxygen --ahead 2h
            Parameters:  \(Parameter.allCases.map(\.name).joined(separator: ", "))
            """)

    @OptionGroup var watch: WatchArguments
    @OptionGroup var limits: LimitArguments
    @Option(
        parsing: .unconditional, help: "Below this value it alarms at once, or none.",
        transform: RangeChange.Limit.init(argument:))
    var criticalMin: RangeChange.Limit?
    @Option(
        parsing: .unconditional, help: "Above this value it alarms at once, or none.",
        transform: RangeChange.Limit.init(argument:))
    var criticalMax: RangeChange.Limit?
    @Option(help: "For how long a value must be out of range before it alarms, such as 10m, or none.")
    var after: DelayArgument?
    @Option(help: "How a value that keeps leaving its range is told: once, or each time.")
    var unstable: UnstableArgument?
    @Option(
        help: "The greatest change in an hour that does not alarm, such as 3, or none.",
        transform: RangeChange.Limit.init(argument:))
    var change: RangeChange.Limit?
    @Option(help: "How long before a limit is reached it is told, such as 2h, or none.")
    var ahead: DelayArgument?
    @Option(help: "The unit of the limits, in which the person is shown values from now on.")
    var unit: String?
    @OptionGroup var output: OutputOptions

    private var settings: [WatchSetting: RangeChange.Limit] {
        WatchSetting.allCases.reduce(into: [:]) { given, setting in
            given[setting] =
                switch setting {
                case .delay: after.map { .value($0.delay / .seconds(1)) }
                case .unstable: unstable.map { .value($0 == .once ? 1 : 0) }
                case .change: change
                case .ahead: ahead.map { .value($0.delay / .seconds(60)) }
                }
        }
    }

    func run(in context: OperatorContext) async throws {
        let change = RangeChange(
            minimum: limits.minimum, maximum: limits.maximum, criticalMinimum: criticalMin,
            criticalMaximum: criticalMax,
            settings: settings, unit: try unit.map { try watch.parameter.chosenUnit($0) })
        let range = try await context.withDatabase { connection in
            let account = try await connection.account(of: watch.email)
            return try await connection.transaction { try apply(change, account, in: $0) }
        }
        try context.console.show(RangeReport(watch.device, range, isChange: !change.isEmpty), output)
    }

    private func apply(
        _ change: RangeChange, _ account: Account.ID, in transaction: borrowing PostgresTransaction
    ) throws -> PersonalRange {
        let owned = try transaction.ownership(of: watch.device, watch.email, account)
        let key = WatchKey(device: owned.device, parameter: watch.parameter, account: account)
        guard let setting = try transaction.execute(ReadSetting(key)).first else {
            throw OperatorError(
                .notFound,
                "Device \(watch.device) has no settings of \(watch.parameter.name). Unlink it and link it again.")
        }
        let range = try change.applied(toRangeOf: setting.range(of: watch.parameter))
        try transaction.replaceSetting(key, setting, by: setting.with(range))
        return range
    }
}

struct RangeReport: Report {
    private struct Limits: Encodable {
        var deviceId: String
        var parameter: String
        /// The unit of the limits.
        var unit: String
        var minimum: Double?
        var maximum: Double?
        var criticalMinimum: Double?
        var criticalMaximum: Double?
        /// The unit of a change within an hour.
        var changeUnit: String
    }

    private let limits: Limits
    private let settings: SettingValues
    private let periods: [PeriodValue]
    let text: String

    init(_ device: Device.HardwareID, _ range: PersonalRange, isChange: Bool) {
        limits = Limits(
            deviceId: device.text, parameter: range.parameter.name, unit: range.unit.rawValue,
            minimum: range.minimum.map(range.shown), maximum: range.maximum.map(range.shown),
            criticalMinimum: range.criticalMinimum.map(range.shown),
            criticalMaximum: range.criticalMaximum.map(range.shown), changeUnit: range.changeScale.unit.rawValue)
        settings = SettingValues(range)
        periods = PeriodValue.all(of: range)
        let parts =
            Self.limits(of: range) + periods.map { "\($0.time): \($0.limits)" }
            + WatchSetting.allCases.compactMap { Self.text(of: $0, in: range) }
        text = "\(range.parameter.name) of \(device)\(isChange ? " is now" : ""): " + parts.joined(separator: ", ")
    }

    var hasLimits: Bool { limits.minimum != nil || limits.maximum != nil }

    func encode(to encoder: any Encoder) throws {
        try limits.encode(to: encoder)
        try settings.encode(to: encoder)
        guard !periods.isEmpty else { return }
        var container = encoder.container(keyedBy: PeriodKey.self)
        try container.encode(periods, forKey: .periods)
    }

    private enum PeriodKey: CodingKey { case periods }

    fileprivate static func limits(of range: PersonalRange) -> [String] {
        func text(_ steps: Steps?) -> String {
            steps.map { range.parameter.text(range.parameter.value(of: $0), in: range.unit, .en) } ?? "none"
        }
        var parts = ["minimum \(text(range.minimum))", "maximum \(text(range.maximum))"]
        if range.criticalMinimum != nil { parts.append("critical below \(text(range.criticalMinimum))") }
        if range.criticalMaximum != nil { parts.append("critical above \(text(range.criticalMaximum))") }
        return parts
    }

    private static func text(of setting: WatchSetting, in range: PersonalRange) -> String? {
        guard let value = range.settings[setting] else { return nil }
        return switch setting {
        case .delay: "alarms after \(value) s"
        case .unstable: "told once while unstable"
        case .change: "alarms beyond \(range.changeText(Steps(value))) in an hour"
        case .ahead: "told \(value) min ahead"
        }
    }
}

/// Limits at another time, as an operator sees them.
private struct PeriodValue: Encodable {
    /// In words: 04:00 to 07:00, from 11-01 to 03-15, by the clock of Europe/Vienna.
    let time: String
    let minimum: Double?
    let maximum: Double?
    let criticalMinimum: Double?
    let criticalMaximum: Double?
    let limits: String

    private enum CodingKeys: CodingKey { case time, minimum, maximum, criticalMinimum, criticalMaximum }

    static func all(of range: PersonalRange) -> [PeriodValue] {
        guard let periods = range.periods else { return [] }
        return periods.all.indices.map { index in
            PeriodValue(periods.all[index], periods.zone, range.held(at: LimitTurns.Place(period: index)))
        }
    }

    private init(_ period: LimitPeriod, _ zone: String, _ held: PersonalRange) {
        let hours = period.hours.map { "\(Self.clock($0.begins)) to \(Self.clock($0.ends))" }
        let season = period.season.map { "from \(Self.day($0.first)) to \(Self.day($0.last))" }
        time = [hours, season, "by the clock of \(zone)"].compactMap(\.self).joined(separator: ", ")
        minimum = held.minimum.map(held.shown)
        maximum = held.maximum.map(held.shown)
        criticalMinimum = held.criticalMinimum.map(held.shown)
        criticalMaximum = held.criticalMaximum.map(held.shown)
        limits = RangeReport.limits(of: held).joined(separator: ", ")
    }

    private static func clock(_ minutes: Int) -> String { "\(two(minutes / 60)):\(two(minutes % 60))" }
    private static func day(_ day: LimitPeriod.Day) -> String { "\(two(day.month))-\(two(day.day))" }
    private static func two(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
}
