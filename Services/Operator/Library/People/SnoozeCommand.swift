import ArgumentParser
import Instants
import People
import Postgres
import Store
import WaterQuality

struct SnoozeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "What a person hears nothing more of for a while.",
        subcommands: [SnoozeSet.self, SnoozeCancel.self, SnoozeList.self])
}

/// The target of a snooze, on the command line.
struct SnoozeTarget: ParsableArguments {
    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Argument(help: "The parameter.", transform: Parameter.init(argument:))
    var parameter: Parameter?
    @Option(help: "low or high; without it, the silence of the device, or of the parameter.")
    var side: Side?
    @Flag var kinds: [SnoozedKind] = []

    func key(in transaction: PostgresTransaction, _ account: Account.ID) throws -> SnoozeKey {
        let flags = SnoozedKind.allCases.map { "--\($0.name)" }
        guard parameter != nil || side == nil && kinds.isEmpty else {
            throw OperatorError(
                .invalidInput,
                "Name the parameter that --side, \(flags.dropLast().joined(separator: ", ")) or \(flags.last ?? "") is about."
            )
        }
        guard kinds.count + (side == nil ? 0 : 1) <= 1 else {
            throw OperatorError(
                .invalidInput,
                "Give one of --side, \(flags.dropLast().joined(separator: ", ")) and \(flags.last ?? "").")
        }
        let owned = try transaction.ownership(of: device, email, account)
        return SnoozeKey(
            device: owned.device, account: account,
            kind: side != nil ? .range : kinds.first?.kind ?? .silence,
            parameter: parameter, side: side)
    }
}

extension Side: ExpressibleByArgument {}

/// A kind that is named by a flag: those that a parameter has beside its limits, and its silence.
struct SnoozedKind: EnumerableFlag {
    let kind: Alert.Kind

    static var allCases: [SnoozedKind] { Alert.Kind.allCases.filter(isFlag).map { SnoozedKind(kind: $0) } }

    private static func isFlag(_ kind: Alert.Kind) -> Bool {
        switch kind {
        case .range, .silence, .test, .way, .signIn, .summary, .proof, .care: false
        case .fault, .rate, .ahead, .byHand: true
        }
    }

    /// As options are written: `by-hand`.
    var name: String { kind.rawValue.replacing(/[A-Z]/) { "-\($0.output.lowercased())" } }

    static func name(for value: SnoozedKind) -> NameSpecification { .customLong(value.name) }

    static func help(for value: SnoozedKind) -> ArgumentHelp? {
        switch value.kind {
        case .fault: "The fault of the parameter's probe, in place of its silence."
        case .rate: "The parameter's change within an hour, likewise."
        case .ahead: "Early warnings about the parameter's limits, likewise."
        case .byHand: "Values of the parameter by hand, likewise."
        case .range, .silence, .test, .way, .signIn, .summary, .proof, .care: nil
        }
    }
}

/// `aqua snooze set`
struct SnoozeSet: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Snoozes one side of a parameter for a person, or a silence.",
        discussion: """
            No alarm and no reminder of it comes for so long; the other side alerts, and what is critical. With --until-over \
            it is acknowledged: no reminder comes until what goes on is over.

            Example:  aqua snooze set ada@example.org pond-1 dissolved_oxygen --side low --for 2h
                      aqua snooze set ada@example.org pond-1 --until-over
            """)

    @OptionGroup var target: SnoozeTarget
    @Option(name: .customLong("for"), help: "For how long, such as 30m or 8h; a week at most.")
    var length: DurationArgument?
    @Flag(help: "Until what goes on now is over.")
    var untilOver = false
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        guard untilOver != (length != nil) else {
            throw OperatorError(.invalidInput, "Say for how long: --for 2h, or --until-over.")
        }
        if let length, !Snooze.bounds.contains(length.duration) {
            throw OperatorError(.invalidInput, "A snooze lasts from a minute to a week.")
        }
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: target.email)
            return try await connection.transaction { try apply(account, in: $0) }
        }
        try context.console.show(report, output)
    }

    private func apply(_ account: Account.ID, in transaction: PostgresTransaction) throws -> SnoozesReport {
        let key = try target.key(in: transaction, account)
        let now = try transaction.execute(ReadClock())[0]
        if let length {
            try transaction.setSnooze(key, at: now, until: now + length.duration)
        } else {
            guard let episode = try transaction.execute(FindOpenEpisode(key)).first else {
                throw OperatorError(
                    .notFound, "Nothing of it goes on now. To hear nothing of the next time, use --for.")
            }
            try transaction.setSnooze(
                key, acknowledging: episode, at: now, until: now + key.kind.rules.longestAcknowledgement)
        }
        return SnoozesReport(target.email, try transaction.execute(ListSnoozes(of: account)))
    }
}

/// `aqua snooze cancel`
struct SnoozeCancel: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancels a snooze or an acknowledgement.",
        discussion: """
            What goes on reminds with the next reading, unless the last alert was too recent.

            Example:  aqua snooze cancel ada@example.org pond-1 dissolved_oxygen --side low
            """)

    @OptionGroup var target: SnoozeTarget
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            let account = try await connection.account(of: target.email)
            return try await connection.transaction { transaction in
                guard try transaction.perform(EndSnooze(try target.key(in: transaction, account))) > 0 else {
                    throw OperatorError(
                        .notFound, "It is not snoozed. aqua snooze list \(target.email) shows what is.")
                }
                return SnoozesReport(target.email, try transaction.execute(ListSnoozes(of: account)))
            }
        }
        try context.console.show(report, output)
    }
}

/// `aqua snooze list`
struct SnoozeList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows what a person has snoozed or acknowledged.",
        discussion: "Times are in UTC.\n\nExample:  aqua snooze list ada@example.org")

    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let rows = try await context.withDatabase { connection in
            try await connection.execute(ListSnoozes(of: try await connection.account(of: email)))
        }
        try context.console.show(SnoozesReport(email, rows), output)
    }
}

struct SnoozesReport: Report {
    struct Line: Encodable {
        var deviceId: String
        var kind: Word<Alert.Kind>
        var parameter: String?
        var side: String?
        var until: String
        /// Whether the snooze ends with its episode, and at `until` at the latest.
        var acknowledged: Bool
        var setAt: String
    }

    var email: String
    var snoozes: [Line]

    init(_ email: EmailAddress, _ rows: [ListSnoozes.Row]) {
        self.email = email.text
        snoozes = rows.map {
            Line(
                deviceId: $0.hardwareID, kind: $0.kind, parameter: $0.parameter?.name, side: $0.side?.rawValue,
                until: $0.snooze.until.iso8601, acknowledged: $0.snooze.isAcknowledgement,
                setAt: $0.snooze.setAt.iso8601)
        }
    }

    var text: String {
        guard !snoozes.isEmpty else { return "\(email) has snoozed nothing." }
        var table = TextTable(["DEVICE", "WHAT", "SIDE", "UNTIL", "SINCE"])
        for snooze in snoozes {
            let what =
                snooze.kind.known == .range
                ? snooze.parameter : "\(snooze.kind.rawValue)\(snooze.parameter.map { " of \($0)" } ?? "")"
            table.add([
                snooze.deviceId, what ?? "-", snooze.side ?? "-",
                snooze.acknowledged ? "it is over, or \(snooze.until)" : snooze.until, snooze.setAt,
            ])
        }
        return table.text
    }
}
