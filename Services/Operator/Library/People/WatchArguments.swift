import ArgumentParser
import Instants
import People
import Postgres
import ServiceKit
import Store
import WaterQuality

/// A person, their device and one of its parameters, on the command line.
struct WatchArguments: ParsableArguments {
    @Argument(help: "The person's e-mail address.", transform: EmailAddress.init(argument:))
    var email: EmailAddress
    @Argument(help: "The device's id.", transform: Device.HardwareID.init(argument:))
    var device: Device.HardwareID
    @Argument(help: "The parameter.", transform: Parameter.init(argument:))
    var parameter: Parameter

    /// - Throws: `notFound` when the person has no such device, and had none.
    func find(on connection: PostgresConnection) async throws -> WatchSubject {
        let account = try await connection.account(of: email)
        guard let subject = try await connection.execute(FindWatchSubject(parameter, of: device, for: account)).first
        else {
            throw absent
        }
        return subject
    }

    var absent: OperatorError { OperatorError(.notFound, "\(email.text) does not have the device \(device).") }
}

/// The limits of a range, on the command line.
struct LimitArguments: ParsableArguments {
    // A limit may be negative, which looks like an option.
    @Option(
        name: .customLong("min"), parsing: .unconditional, help: "The least value that is in range, or none.",
        transform: RangeChange.Limit.init(argument:))
    var minimum: RangeChange.Limit?
    @Option(
        name: .customLong("max"), parsing: .unconditional, help: "The greatest value that is in range, or none.",
        transform: RangeChange.Limit.init(argument:))
    var maximum: RangeChange.Limit?
}

extension PostgresConnection {
    /// The readings of a watch in a period, as its person sees them.
    func pastReadings(
        of watch: WatchKey, in period: Range<Timestamp>, most: Int = PastReadings.most, withHistory: Bool = false
    ) async throws -> PastReadings {
        var past = PastReadings(of: watch.parameter, in: period, most: most)
        while let page = past.nextPage() {
            past.add(
                try await transaction(TransactionOptions(isReadOnly: true)) { transaction in
                    try transaction.perform(ActForPerson(watch.account))
                    return try transaction.execute(ReadPastValues(watch, in: page, withHistory: withHistory))
                })
        }
        return past
    }
}

extension OperatorEnvironment {
    /// The operator's alert policy, from the variables that engines read.
    func alertPolicy() throws(ConfigurationFaults) -> AlertPolicy {
        var policy = AlertPolicy()
        (policy.throttle, policy.holdWithin) = try read { [policy] in
            (
                $0.duration(.throttle, default: policy.throttle),
                $0.duration(.hold, default: AlertPolicy.usualHold, within: AlertPolicy.holdBounds)
            )
        }
        return policy
    }
}
