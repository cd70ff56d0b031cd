/// The settings of a parameter's alerts beside its limits: a line for each.
package enum WatchSetting: Int, CaseIterable, Sendable {
    case delay, unstable, change, ahead

    package var declaration: SettingDeclaration {
        switch self {
        case .delay: .delay
        case .unstable: .unstable
        case .change: .change
        case .ahead: .ahead
        }
    }

    package var name: String { declaration.name }
    package var form: SettingDeclaration.Form { declaration.form }
}

/// The settings of a person, as they are stored: whole numbers, none where a setting is as it is at first.
package struct WatchSettings: Hashable, Sendable {
    private var values: [WatchSetting: Int32] = [:]

    package init() {}

    package subscript(setting: WatchSetting) -> Int32? {
        get { values[setting] }
        set { values[setting] = newValue == 0 ? nil : newValue }
    }
}

extension WatchSettings {
    /// For how long the water must have been out of range before it alarms; whole seconds.
    package var delay: Duration {
        get { .seconds(Int64(self[.delay] ?? 0)) }
        set { self[.delay] = Int32(clamping: newValue.components.seconds) }
    }

    /// Whether water that keeps leaving the range is told once, as unstable.
    package var tellsUnstable: Bool {
        get { self[.unstable] != nil }
        set { self[.unstable] = newValue ? 1 : nil }
    }

    /// How much the value may change within an hour.
    package var changePerHour: Steps? {
        get { self[.change].map { Steps($0) } }
        set { self[.change] = newValue?.count }
    }

    /// How long before a limit is reached it is told, in whole minutes; `nil`: it is not.
    package var ahead: Duration? {
        get { self[.ahead].map { .seconds(60 * Int64($0)) } }
        set { self[.ahead] = newValue.map { Int32(clamping: $0.components.seconds / 60) } }
    }
}

extension WatchRules {
    package init(_ settings: WatchSettings, critical: CriticalBand) {
        self.init(
            delay: settings.delay, critical: critical, tellsUnstable: settings.tellsUnstable,
            changeLimit: settings.changePerHour.map { ChangeLimit(perHour: $0) }, ahead: settings.ahead)
    }
}
