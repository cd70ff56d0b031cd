/// The results of all rounds.
struct ChaosReport: Sendable {
    let seed: UInt64
    var total = Tally()
    /// The results by the fault's name.
    private(set) var kinds: [String: Kind] = [:]
    /// Faults that could not be injected here, with the reason.
    var skipped: [String: String] = [:]
    /// The output tails of services that ended without being told to.
    var unexpectedEnds: [String] = []
    /// Whether the run was ended before all rounds were played.
    var isCutShort = false
    private(set) var rounds = 0

    struct Kind: Sendable {
        var rounds = 0
        var handedOver = 0
        var alerts = 0
        var duplicates = 0
        var longestRecovery = Duration.zero
        var lost = 0
        var lostWithoutReceipt = 0
        var alertsMissed = 0
        var beyondThrottle = 0
        /// The longest time until readings were stored again, if a machine was in trouble.
        var longestBack: Duration?
        /// Whether the system recovered by itself each time.
        var isBack = true

        fileprivate var losses: String {
            "\(lost) of \(handedOver)" + (lostWithoutReceipt > 0 ? ", \(lostWithoutReceipt) with a broker's data" : "")
        }
    }

    init(seed: UInt64) { self.seed = seed }

    mutating func add(_ result: RoundResult) {
        rounds += 1
        total += result.tally
        var kind = kinds[result.round.fault.name] ?? Kind()
        kind.rounds += 1
        kind.handedOver += result.tally.handedOver
        kind.alerts += result.tally.alertsExpected
        kind.duplicates += result.tally.duplicates
        kind.longestRecovery = max(kind.longestRecovery, result.recovery ?? .zero)
        kind.lost += result.tally.lost
        kind.lostWithoutReceipt += result.tally.lostWithoutReceipt
        kind.alertsMissed += result.tally.alertsMissed
        kind.beyondThrottle += result.tally.beyondThrottle
        if let back = result.back { kind.longestBack = max(kind.longestBack ?? .zero, back) }
        kind.isBack = kind.isBack && result.recovery != nil
        kinds[result.round.fault.name] = kind
    }

    /// Whether the played rounds have no finding. A service that ends without being told to is a defect, even if the
    /// system recovers.
    var isClean: Bool { total.isClean && unexpectedEnds.isEmpty }

    /// Whether the remaining rounds are skipped.
    var isOver: Bool { isCutShort || !kinds.values.allSatisfy(\.isBack) }

    /// The exit code: 0 if all rounds were played without a finding, 1 with a finding, 130 if the run was cut short
    /// without one.
    var exitCode: Int32 { !isClean ? 1 : isCutShort ? 130 : 0 }

    var longestRecovery: Duration { kinds.values.map(\.longestRecovery).max() ?? .zero }

    /// The table and, as its last line, the summary.
    var text: String {
        let header = ["fault", "rounds", "readings", "alerts", "repeated", "longest recovery"]
        let rows = kinds.sorted { $0.key < $1.key }.map { name, kind in
            [
                name, "\(kind.rounds)", "\(kind.handedOver)", "\(kind.alerts)", "\(kind.duplicates)",
                kind.longestRecovery.inSeconds,
            ]
        }
        let left = skipped.sorted { $0.key < $1.key }.map { "left out: \($0.key), because \($0.value)" }
        let ended = unexpectedEnds.map { "ended and was started again: \($0)" }
        let cut = isCutShort ? ["cut short: not all rounds were played"] : []
        return (Self.table([header] + rows) + machines + left + ended + cut + ["", summary]).joined(separator: "\n")
    }

    /// The operator's action in a fault, which the suite performed.
    private static let byHand = [Fault.newBroker, .newBrokerBehind].reduce(into: [:]) {
        $0[$1.name] = "broker refill"
    }

    /// The table of `deploy/FIGURES.md` about machines that die, if such faults were played.
    private var machines: [String] {
        let rows = kinds.filter {
            $0.value.longestBack != nil || Fault.named($0.key).contains { $0.ground == .machines }
        }
        .sorted { $0.key < $1.key }.map { name, kind in
            [
                name, kind.losses,
                "\(kind.alertsMissed) missed, \(kind.beyondThrottle) double of \(kind.alerts)",
                kind.isBack ? kind.longestBack?.inSeconds ?? "-" : "never",
                kind.isBack ? Self.byHand[name] ?? "nothing" : "all of it",
            ]
        }
        guard !rows.isEmpty else { return [] }
        return [""] + Self.table([["event", "lost of PUBACKed", "alarms", "back after", "by hand"]] + rows)
    }

    /// The last line, for programs.
    var summary: String {
        let pairs: [(String, String)] = [
            ("rounds", "\(rounds)"), ("seed", "\(seed)"), ("handed_over", "\(total.handedOver)"),
            ("lost", "\(total.lost)"), ("stored_twice", "\(total.storedTwice)"),
            ("broker_crash_lost_without_receipt", "\(total.lostWithoutReceipt)"),
            ("episodes_expected", "\(total.episodesExpected)"), ("episodes_wrong", "\(total.episodesWrong)"),
            ("alerts_expected", "\(total.alertsExpected)"), ("alerts_missed", "\(total.alertsMissed)"),
            ("alerts_late", "\(total.alertsLate)"),
            ("beyond_throttle", "\(total.beyondThrottle)"), ("duplicate_deliveries", "\(total.duplicates)"),
            ("messages_wrong", "\(total.messagesWrong)"), ("silences_wrong", "\(total.silencesWrong)"),
            ("derived_wrong", "\(total.derivedWrong)"),
            ("hours_wrong", "\(total.hoursWrong)"), ("worked", "\(total.worked)"),
            ("worked_hours", "\(total.workedHours)"), ("work_wrong", "\(total.workWrong)"),
            ("unexplained", "\(total.unexplained)"), ("unrecovered", "\(total.unrecovered)"),
            ("unexpected_ends", "\(unexpectedEnds.count)"),
            ("longest_recovery_s", String(longestRecovery.inSeconds.dropLast(2))),
            ("cut_short", isCutShort ? "yes" : "no"),
            ("skipped", skipped.isEmpty ? "none" : skipped.keys.sorted().joined(separator: ",")),
        ]
        return pairs.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    private static func table(_ rows: [[String]]) -> [String] {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }.joined(separator: "  ")
        }
    }
}
