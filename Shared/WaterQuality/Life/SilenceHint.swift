package import Instants
package import Words

/// The probable explanation of a silence, by the device's own last words: a hint, and no proof.
package enum SilenceHint: Hashable, Sendable {
    /// The battery was low, in percent.
    case battery(percent: Int)
    /// The device starts anew again and again, so often a day.
    case restarts(aDay: Int)
    /// The signal was weak, in dBm.
    case signal(dBm: Int)
    /// The signal was weak on each day on which it fell silent of late, this one too, in dBm.
    case signals(dBm: Int)

    /// Charges are told seldom.
    private static let batteryHolds = Duration.seconds(3 * 86_400)
    private static let signalHolds = Duration.seconds(86_400)
    /// The days that are looked at for silences.
    private static let silenceDays = 14

    /// The likeliest explanation; `nil` where nothing that is known explains anything.
    /// - Parameter heardAt: When the device was last heard.
    package init?(_ life: DeviceLife, heardAt: Timestamp) {
        if let battery = life.battery, battery.value <= DeviceLife.lowBattery,
            heardAt - battery.at < Self.batteryHolds
        {
            self = .battery(percent: Int(battery.value.rounded()))
            return
        }
        let restarts = life.restartsADay(now: heardAt)
        if restarts > 0 {
            self = .restarts(aDay: restarts)
            return
        }
        guard life.isSignalWeak, let signal = life.signal, heardAt - signal.at < Self.signalHolds else { return nil }
        let today = CivilDay(heardAt)
        let former = life.days.filter { $0.silences > 0 && $0.day < today && $0.day + Self.silenceDays > today }
        let wereWeak = former.allSatisfy { $0.signal.map { $0 <= DeviceLife.weakSignal } ?? false }
        self = former.isEmpty || !wereWeak ? .signal(dBm: Int(signal.value)) : .signals(dBm: Int(signal.value))
    }

    // MARK: Its name and number

    /// The kinds of hints. The raw values are stored, and a promise to clients.
    package enum Kind: String, CaseIterable, Sendable { case battery, restarts, signal, signals }

    package var kind: Kind {
        switch self {
        case .battery: .battery
        case .restarts: .restarts
        case .signal: .signal
        case .signals: .signals
        }
    }

    /// The percent, the restarts of a day, or the dBm.
    package var number: Int {
        switch self {
        case .battery(let percent): percent
        case .restarts(let aDay): aDay
        case .signal(let dBm), .signals(let dBm): dBm
        }
    }

    package init(_ kind: Kind, _ number: Int) {
        self =
            switch kind {
            case .battery: .battery(percent: number)
            case .restarts: .restarts(aDay: number)
            case .signal: .signal(dBm: number)
            case .signals: .signals(dBm: number)
            }
    }

    /// As it is stored: `battery 4`.
    package var stored: String { "\(kind.rawValue) \(number)" }

    /// - Returns: `nil` for what only a newer version knows.
    package init?(stored: String) {
        let parts = stored.split(separator: " ")
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), let number = Int(parts[1]) else {
            return nil
        }
        self.init(kind, number)
    }

    /// One sentence, such as "The battery was at 4 % before it fell silent."
    package func text(in language: Language) -> String { text("hint.\(kind.rawValue)", language) }

    /// The same of several devices, such as "Their batteries were at 4 % or less."
    func text(ofSeveralIn language: Language) -> String { text("notice.site_\(kind.rawValue)", language) }

    private func text(_ key: String, _ language: Language) -> String {
        // A minus sign as it is set in print: a hyphen would break from its number.
        language.text(key, ["number": number < 0 ? "\u{2212}\(-number)" : "\(number)"])
    }
}
