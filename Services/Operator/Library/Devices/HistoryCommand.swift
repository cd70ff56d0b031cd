import ArgumentParser
import Instants
import People
import Postgres
import ServiceKit
import Store
import WaterQuality

/// `aqua history`
struct HistoryCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows what a device has measured: message by message, by the hour or by the day.",
        discussion: """
            The longer the time, the coarser: as many lines as --points says, or somewhat fewer where there is more to \
            show. Minutes, hours and days are those of UTC. All \
            parameters are shown by their means; one alone with its least and greatest value as well.

            Example:  aqua history pond-1 --parameter temperature --since 30d --unit F
            Parameters:  \(Parameter.allCases.map(\.name).joined(separator: ", "))
            """)

    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Option(help: "Show this parameter alone.", transform: Parameter.init(argument:))
    var parameter: Parameter?
    @Option(
        help: "From when on: 2026-05-01T12:00:00Z, or so long ago, such as 30d. (default: 24h)", transform: Since.init)
    var since: Since?
    @Option(help: "The most lines to show.")
    var points = 60
    @Option(help: "The unit to show the parameter in.")
    var unit: String?
    @Option(
        help: "Show what this person sees, who owns the device or owned it: their time, in their units.",
        transform: EmailAddress.init(argument:))
    var owner: EmailAddress?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...10_000).contains(points) else { throw ValidationError("--points is a number from 1 to 10000.") }
        guard unit == nil || parameter != nil else { throw ValidationError("--unit needs --parameter.") }
    }

    func run(in context: OperatorContext) async throws {
        let now = context.clock.now()
        let start = (since ?? .ago(.seconds(86_400))).time(at: now)
        guard start < now else { throw OperatorError(.invalidInput, "--since is a time that has passed.") }
        let parameters = parameter.map { [$0] } ?? Parameter.allCases
        let (found, units) = try await context.withDatabase { connection in
            let device = try await connection.device(device)
            let viewer = try await connection.viewer(of: device, owner)
            // Devices' clocks may be ahead of ours.
            func histories(_ points: Int) async throws -> [History] {
                let request = HistoryRequest(
                    of: device, in: start..<now + EventTime.furthestAhead, within: viewer?.periods, points: points)
                return try await connection.transaction(HistoryRequest.transaction) {
                    try request.perform(parameters, in: $0)
                }
            }
            let found = try await histories(points)
            let lines = Set(found.flatMap(\.points).map(\.time)).count
            // Too coarse: finer points are read, and combined below.
            let isCoarse = found.first?.resolution != .message && lines < points
            return (isCoarse ? try await histories(max(points * 24, Self.finer)) : found, viewer?.units ?? [:])
        }
        let (combined, step) = found.combined(to: points)
        let shown = try zip(parameters, combined).map { parameter, history in
            HistoryReport.Series(parameter, in: try chosen(units[parameter], parameter), history)
        }
        try context.console.show(
            HistoryReport(device, since: start, shown, resolution: found.first?.resolution ?? .message, step), output)
    }

    /// Least number of points to read where hours would give fewer lines than wanted.
    private static let finer = 2_000

    private func chosen(_ theirs: Unit?, _ parameter: Parameter) throws(OperatorError) -> Unit {
        guard let unit else { return theirs ?? parameter.canonicalUnit }
        return try parameter.chosenUnit(unit)
    }
}

/// The part of a device's history that a person may see.
private struct Viewer: Sendable {
    var periods: [Range<Timestamp>]
    /// The units that the person has chosen.
    var units: [Parameter: Unit] = [:]
}

extension PostgresConnection {
    fileprivate func device(_ hardwareID: Device.HardwareID) async throws -> DeviceKey {
        guard let found = try await execute(FindDevice(hardwareID)).first else {
            throw OperatorError(.notFound, "There is no device \(hardwareID). See `aqua device list`.")
        }
        return found.key
    }

    fileprivate func viewer(of device: DeviceKey, _ email: EmailAddress?) async throws -> Viewer? {
        guard let email else { return nil }
        let account = try await account(of: email)
        var viewer = Viewer(periods: try await execute(ListOwnedPeriods(of: device, by: account)))
        guard !viewer.periods.isEmpty else {
            throw OperatorError(.notFound, "\(email.text) has never owned this device.")
        }
        for parameter in Parameter.allCases {
            let key = WatchKey(device: device, parameter: parameter, account: account)
            viewer.units[parameter] = try await execute(ReadSetting(key)).first.flatMap { Unit(rawValue: $0.unit) }
        }
        return viewer
    }
}
