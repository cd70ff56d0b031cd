import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua work`
struct WorkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work", abstract: "Work on a device's water, while which nothing alarms but what is critical.",
        subcommands: [WorkStart.self, WorkFinish.self, WorkList.self])
}

/// `aqua work start`
struct WorkStart: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Begins work on a device's water, or enters it afterwards.",
        discussion: """
            It ends by itself. Of work that is entered afterwards, alarms that began in it are called back. A tank can be worked on \
            for twelve hours of any twenty-four.

            Example:  aqua work start pond-1 waterChange
                      aqua work start pond-1 cleaning --since 40m --for 1h
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Argument(help: "What is done: waterChange, cleaning, calibration, feeding or other.")
    var kind = Work.Kind.other
    @Option(
        name: .customLong("for"),
        help: "For how long, such as 45m; twelve hours at most. (default: 15m of feeding, 30m of all else)")
    var length: DurationArgument?
    @Option(
        help: "When it began: 2026-05-01T12:00:00Z, or so long ago, such as 40m. (default: now)", transform: Since.init)
    var since: Since?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let length = length?.duration ?? kind.usual
        guard length > .zero, length <= Work.longest else {
            throw OperatorError(.invalidInput, "Work lasts twelve hours at most.")
        }
        let report = try await context.withDatabase { connection in
            try await connection.transaction { transaction in
                let key = try transaction.owned(device)
                let now = try transaction.execute(ReadClock())[0]
                let start = since?.time(at: now) ?? now
                let outcome = try transaction.execute(EnterWork(key, kind, from: start, until: start + length)).first
                try outcome?.check()
                return WorkReport(device, try transaction.execute(ListRecentWork(key)))
            }
        }
        try context.console.show(report, output)
    }
}

/// `aqua work finish`
struct WorkFinish: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Finishes work on a device's water.",
        discussion: """
            The next reading decides: what is out of range alarms.

            Example:  aqua work finish pond-1
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            try await connection.transaction { transaction in
                let key = try transaction.owned(device)
                guard try !transaction.execute(FinishWork(key)).isEmpty else {
                    throw OperatorError(.notFound, "Nobody works on it now. aqua work list \(device) shows what was.")
                }
                return WorkReport(device, try transaction.execute(ListRecentWork(key)))
            }
        }
        try context.console.show(report, output)
    }
}

/// `aqua work list`
struct WorkList: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows the last fifty times that somebody worked on a device's water.",
        discussion: "Times are in UTC.\n\nExample:  aqua work list pond-1")

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        let report = try await context.withDatabase { connection in
            try await connection.transaction { transaction in
                WorkReport(device, try transaction.execute(ListRecentWork(try transaction.owned(device))))
            }
        }
        try context.console.show(report, output)
    }
}

extension Work.Kind: ExpressibleByArgument {}

extension EnterWork.Outcome {
    /// - Throws: What to do where it was refused.
    fileprivate func check() throws(OperatorError) {
        switch self {
        case .created: break
        case .tooMuch:
            throw OperatorError(.invalidInput, "It would be worked on for more than twelve of twenty-four hours.")
        case .tooLate:
            throw OperatorError(
                .invalidInput,
                "It began before its owner had the device, or more than 31 days ago, and is judged no more.")
        case .tooEarly: throw OperatorError(.invalidInput, "It may not begin later than now.")
        case .tooLong: throw OperatorError(.invalidInput, "Work lasts twelve hours at most.")
        case .foreign: throw OperatorError(.notFound, "Nobody owns the device.")
        }
    }
}

extension PostgresTransaction {
    /// A device that somebody owns.
    fileprivate func owned(_ id: Device.HardwareID) throws -> DeviceKey {
        guard let device = try execute(FindDevice(id)).first else {
            throw OperatorError(.notFound, "There is no device \(id). Correct the id; aqua device list shows all.")
        }
        return device.key
    }
}

struct WorkReport: Report {
    struct Line: Encodable {
        var kind: String
        var from: String
        var until: String
        var isCurrent: Bool
        /// `nil`: an operator, or somebody who is gone.
        var by: String?
    }

    var deviceId: String
    var work: [Line]

    init(_ device: Device.HardwareID, _ rows: [ListRecentWork.Row]) {
        deviceId = device.text
        work = rows.map {
            Line(
                kind: $0.kind, from: $0.from.iso8601, until: $0.until.iso8601, isCurrent: $0.isCurrent, by: $0.email)
        }
    }

    var text: String {
        guard !work.isEmpty else { return "Nobody has worked on the water of \(deviceId)." }
        var table = TextTable(["WORK", "FROM", "UNTIL", "BY"])
        for one in work {
            table.add([one.kind, one.from, one.isCurrent ? "\(one.until), goes on" : one.until, one.by ?? "-"])
        }
        return table.text
    }
}
