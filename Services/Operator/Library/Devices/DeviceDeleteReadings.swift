import ArgumentParser
import Instants
import Postgres
import Store
import WaterQuality

/// `aqua device delete-readings`
struct DeviceDeleteReadings: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-readings", abstract: "Deletes what a device measured in a stretch of time, for its owner.",
        discussion: """
            Without --readings it counts, and deletes nothing. With the number that it counted it deletes them, for good: there is no way back \
            but a backup, and a device that sends the same messages again brings nothing back. Roll-ups follow within a minute; what was told \
            stays told. At most \(DeletedReadings.longestDays) days and \(DeletedReadings.mostMessages) messages at once, and none of a period \
            that the owner has approved.

            Example:  aqua device delete-readings pond-1 --since 3h --until 2h --parameter ph
                      aqua device delete-readings pond-1 --since 3h --until 2h --parameter ph --readings 120 --reason "in the air"
            Parameters:  \(Parameter.allCases.map(\.name).joined(separator: ", "))
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Option(
        help: "The beginning, included: 2026-05-01T12:00:00Z, or so long ago, such as 3h.", transform: Since.init)
    var since: Since
    @Option(help: "The end, not included. (default: now)", transform: Since.init)
    var until: Since?
    @Option(
        parsing: .singleValue,
        help: "This parameter, and what is computed from it; several times for several. (default: all)",
        transform: Parameter.init(argument:))
    var parameter: [Parameter] = []
    @Option(help: "How many readings were counted: that many are deleted, or none.")
    var readings: Int?
    @Option(help: "Why, for whoever looks later.")
    var reason: String?
    @OptionGroup var output: OutputOptions

    func run(in context: OperatorContext) async throws {
        if let reason, !(1...500).contains(reason.unicodeScalars.count) {
            throw OperatorError(.invalidInput, "--reason has 1 to 500 characters.")
        }
        let chosen = parameter.reduce(into: ParameterSet()) { $0.insert(ParameterSet($1)) }
        let found = try await context.withDatabase { connection in
            try await connection.transaction { transaction in
                guard let key = try transaction.execute(FindDevice(device)).first?.key else {
                    throw OperatorError(
                        .notFound, "There is no device \(device). Correct the id; aqua device list shows all.")
                }
                let now = try transaction.execute(ReadClock())[0]
                let (start, end) = (since.time(at: now), until?.time(at: now) ?? now)
                guard start < end else { throw OperatorError(.invalidInput, "--since is before --until.") }
                let found = try transaction.execute(
                    DeleteReadings(
                        device: key, period: start..<end,
                        parameters: chosen.isEmpty ? ParameterSet(rawValue: -1) : chosen.withDerived,
                        seen: readings, reason: reason))[0]
                try found.check()
                return found
            }
        }
        try context.console.show(DeletedReadingsReport(device, found), output)
    }
}

extension DeletedReadings {
    /// - Throws: What to do where it was refused.
    fileprivate func check() throws(OperatorError) {
        switch outcome {
        case .counted, .deleted: break
        case .differs:
            throw OperatorError(
                .invalidInput,
                "There are \(readings) readings in it now. Nothing was deleted; look, and say that number.")
        case .unknown, .notOwner: throw OperatorError(.notFound, "Nobody owns the device.")
        case .approved:
            throw OperatorError(
                .invalidInput, "The owner has approved a period in it, and withdraws that in the app first.")
        case .tooLong: throw OperatorError(.invalidInput, "A stretch has \(Self.longestDays) days at most.")
        case .tooMany:
            throw OperatorError(
                .invalidInput, "There are more than \(Self.mostMessages) messages in it. Take a shorter stretch.")
        case .tooOld:
            throw OperatorError(.invalidInput, "Of its beginning no messages are kept any more, only roll-ups.")
        }
    }
}

struct DeletedReadingsReport: Report {
    var deviceId: String
    var deleted: Bool
    var messages: Int
    var readings: Int

    init(_ device: Device.HardwareID, _ found: DeletedReadings) {
        deviceId = device.text
        deleted = found.outcome == .deleted
        (messages, readings) = (found.messages, found.readings)
    }

    var text: String {
        let what = "\(readings) readings of \(messages) messages of \(deviceId)"
        return deleted ? "Deleted: \(what)." : "It would delete \(what). --readings \(readings) does."
    }
}
