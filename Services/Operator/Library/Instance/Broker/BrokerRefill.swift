import ArgumentParser
import BrokerControl
import MQTT
import Postgres
import Secrets
import ServiceKit
import Store

/// `aqua broker refill`
struct BrokerRefill: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "refill",
        abstract: "Gives a broker that was replaced the accounts of all devices.",
        discussion: """
            Adds the accounts that the broker lacks, with the passwords that the devices have, and leaves those that it has \
            alone. Accounts that are no devices of the database are named.

            Mosquitto writes the whole list again for each account that is added while it runs, which takes a quarter of an \
            hour for ten thousand. With --offline the command prints all accounts at once, for deploy/broker/init --accounts; \
            the broker takes them when it starts. With its --only it drops all others.

            Stop the enroller before --remove-strangers and --offline: it makes an account before there is the device.

            Example:  aqua broker refill
                      aqua broker refill --offline >accounts.json
            """)

    @Flag(help: "Print all accounts for deploy/broker/init --accounts, and change nothing.")
    var offline = false
    @Flag(help: "Remove accounts that are no devices of the database, from a broker that runs.")
    var removeStrangers = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if offline, removeStrangers {
            throw ValidationError(
                "--remove-strangers is for a broker that runs: leave --offline out; or print with --offline alone, and pass the file to deploy/broker/init --accounts FILE --only."
            )
        }
    }

    func run(in context: OperatorContext) async throws {
        let (database, keys, broker) = try context.environment.require { reader in
            let (database, keys) = (reader.database(), reader.deviceKeys())
            let broker = offline ? nil : reader.broker()
            return keys.map { (database, $0, broker) }
        }
        let devices = try await context.withDatabase(database) { connection in
            DevicePasswords(try await connection.allDevices().map(\.device), keys)
        }
        if let broker {
            let report = try await refill(devices, MQTTConfiguration.all(broker), context.console)
            try context.console.show(report, output)
        } else {
            try context.console.show(BrokerAccounts(of: devices.passwords), json: true)
        }
        guard devices.keyless.isEmpty else { throw devices.complaint }
    }

    private func refill(
        _ devices: DevicePasswords, _ brokers: [MQTTConfiguration], _ console: Console
    ) async throws -> RefillReport {
        let removes = removeStrangers
        guard !removes || !devices.all.isEmpty else {
            throw OperatorError(
                .conflict,
                "The database has no devices, so that every account would be removed. Look whether AQUA_DATABASE_URL leads to the right one."
            )
        }
        return try await DynamicSecurity.with(firstOf: brokers) { security in
            let plan = RefillPlan(
                devices: devices.all, accounts: try await security.listClients().map(\.username))
            guard plan.writes(removing: removes) <= DynamicSecurity.mostWrites else {
                throw OperatorError(
                    .invalidInput,
                    "\(plan.changes(removing: removes)) are too many for a broker that runs and has \(plan.known) accounts. "
                        + "Print all with aqua broker refill --offline, hand them to deploy/broker/init --accounts\(removes ? " with --only" : ""), and start the broker again."
                )
            }
            var added = 0
            for page in plan.missing.pages(of: 100) {
                added += try await security.ensureClients(
                    page.compactMap { name in devices.passwords[name].map { (user: name, password: $0) } })
                if plan.missing.count > 100 { console.complain("\(added) of \(plan.missing.count) accounts") }
            }
            if removes { try await security.deleteClients(plan.strangers) }
            return RefillReport(
                added: added, present: plan.present, strangers: plan.strangers, removedStrangers: removes)
        }
    }
}

/// The passwords of the devices in the database.
struct DevicePasswords: Sendable {
    private(set) var passwords: [String: String] = [:]
    /// Devices whose master key is not configured.
    private(set) var keyless: [String] = []

    var all: [String] { Array(passwords.keys) + keyless }

    init(_ devices: [OwnedDevice], _ keys: DeviceKeys) {
        for device in devices {
            let password = keys.password(
                hardwareID: device.hardwareID, generation: device.keyGeneration, key: device.keyID)
            if let password { passwords[device.hardwareID] = password } else { keyless.append(device.hardwareID) }
        }
    }

    var complaint: OperatorError {
        OperatorError(
            .conflict,
            "The master key of \(keyless.count) devices (\(keyless[0]) for one) is not in AQUA_DEVICE_KEY_FILE any more; they got no account. "
                + "Put it back, on a line below the newest, or give each a new password: aqua device rotate-key \(keyless[0])"
        )
    }
}

/// All accounts, as `deploy/broker/init --accounts` reads them.
struct BrokerAccounts: Report {
    struct Account: Encodable {
        var username: String
        var hash: BrokerPasswordHash

        private enum Key: String, CodingKey { case username }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(username, forKey: .username)
            try hash.encode(to: encoder)
        }
    }

    var accounts: [Account]

    init(of passwords: [String: String]) throws {
        accounts = try passwords.sorted { $0.key < $1.key }.map {
            Account(username: $0.key, hash: try BrokerPasswordHash(of: $0.value))
        }
    }

    var text: String { "\(accounts.count) accounts" }
}

struct RefillReport: Report {
    /// More names than these are only counted.
    private static let mostNamed = 20

    var added: Int
    /// Accounts that existed, left as they were.
    var present: Int
    /// Accounts that belong to no device of the database.
    var strangers: [String]
    var removedStrangers: Bool

    var text: String {
        var lines = ["Added \(added) accounts; \(present) were there."]
        if !strangers.isEmpty {
            let names =
                strangers.prefix(Self.mostNamed).joined(separator: ", ")
                + (strangers.count > Self.mostNamed ? " and \(strangers.count - Self.mostNamed) more" : "")
            lines.append(
                removedStrangers
                    ? "Removed \(strangers.count) accounts that are no devices of this database: \(names)"
                    : "The broker has accounts that are no devices of this database: \(names). Remove them: aqua broker refill --remove-strangers"
            )
        }
        return lines.joined(separator: "\n")
    }
}

extension [String] {
    /// Splits the list into parts of at most `size`.
    fileprivate func pages(of size: Int) -> [ArraySlice<String>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
