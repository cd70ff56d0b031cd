import Foundation
import Synchronization
import TestSupport

/// PostgreSQL on three machines, one of them primary, managed by Patroni with the settings of `deploy/ha/patroni.yml`.
/// etcd, on the same machines, stores which one is primary.
final class PatroniCluster: Sendable {
    /// The program that `deploy/ha/install-patroni` installs.
    static let patroni = "/usr/local/bin/patroni"
    static let etcd = "/usr/bin/etcd"
    /// Each server's port, the usual one: the network belongs to this process alone.
    static let port = 5432

    let machines: [Machine]
    private let database: DatabaseServer
    private let order: Mutex<[String]>

    /// Starts a broker and three machines, and waits until a commit is on two of them.
    static func with<Result: Sendable>(
        _ body: @Sendable @escaping (TestCluster, PatroniCluster) async throws -> Result
    ) async throws -> Result {
        let addresses = (1...3).map(Lan.address)
        return try await TestCluster.with(databaseAt: addresses, port: port) { cluster in
            let directories = try await PatroniFiles(cluster, addresses).write()
            return try await Machine.with(directories) { machines in
                let patroni = PatroniCluster(machines, cluster.database)
                do {
                    try await patroni.start()
                    return try await body(cluster, patroni)
                } catch {
                    say(patroni.logTails)
                    throw error
                }
            }
        }
    }

    private init(_ machines: [Machine], _ database: DatabaseServer) {
        self.machines = machines
        self.database = database
        order = Mutex(machines.map(\.address))
    }

    private func start() async throws {
        for machine in machines { try await switchOn(machine) }
        try await untilWhole()
        let script = """
            source "$1/deploy/lib/common.sh"
            for part in user packages postgres; do source "$ROOT/deploy/lib/$part.sh"; done
            create_roles "$2" "$3" "$4"
            """
        try await ProcessUnderTest.run(
            "/bin/bash",
            [
                "-c", script, "bash", Paths.repository.path(percentEncoded: false), try await primary().address,
                "\(Self.port)", database.secrets,
            ])
    }

    /// Starts the programs that start with a machine.
    func switchOn(_ machine: Machine) async throws {
        try await machine.start("etcd")
        try await machine.start("patroni")
    }

    // MARK: Roles of the machines

    /// The machine whose server accepts writes.
    func primary() async throws -> Machine {
        let address = try await database.maintenance.sql("SELECT host(inet_server_addr())")
        return try machine(at: address)
    }

    /// The machine of the standby that each commit waits for.
    func synchronousStandby() async throws -> Machine {
        let address = try await database.maintenance.sql(
            "SELECT host(client_addr) FROM pg_stat_replication WHERE sync_state = 'sync'")
        return try machine(at: address)
    }

    private func machine(at address: String) throws -> Machine {
        guard let machine = machines.first(where: { $0.address == address }) else {
            throw TestSupportError("No machine is at \(address)")
        }
        return machine
    }

    /// Waits until a primary has a standby on each of the other machines, one of them synchronous. This has to happen
    /// without help.
    func untilWhole() async throws {
        try await awaitAnswer("the whole cluster") { [database] in
            try? await database.maintenance.sql(
                """
                SELECT count(*) FILTER (WHERE state = 'streaming') || ' standbys, synchronous: '
                    || count(*) FILTER (WHERE sync_state = 'sync')
                FROM pg_stat_replication
                """)
        } where: {
            $0 == "2 standbys, synchronous: 1"
        }
    }

    /// Kills etcd on all machines, and waits until the primary's Patroni has noticed.
    func killEtcd() async throws {
        let primary = try await primary()
        let before = log(of: "patroni", on: primary).utf8.count
        for machine in machines { try await machine.kill("etcd") }
        try await awaitFact("Patroni's word on etcd") { [self] in
            let said = String(decoding: log(of: "patroni", on: primary).utf8.dropFirst(before), as: UTF8.self)
            // Patroni then either goes on or demotes the primary.
            return ["failsafe mode is enabled", "DCS is not accessible"].contains { said.contains($0) } ? true : nil
        }
    }

    // MARK: For the services

    /// The addresses of all servers, in the order in which a newly started service tries them.
    var addresses: [String] { order.withLock { $0 } }

    /// Puts a machine first among the addresses.
    func putFirst(_ machine: Machine) {
        order.withLock { order in
            order.removeAll { $0 == machine.address }
            order.insert(machine.address, at: 0)
        }
    }

    // MARK: Without Patroni

    /// Starts a machine's server by hand as one that accepts writes, whatever the others do meanwhile.
    func startAlone(_ machine: Machine) async throws {
        try await machine.start("postgres")
        try await awaitFact("a second server that can be written to") { [database] in
            let alone = try? await database.sql(
                "SELECT NOT pg_is_in_recovery()", onlyAt: machine.address, in: database.maintenance)
            return alone == "t" ? true : nil
        }
    }

    /// Waits until each service has connected to a server that was started by hand.
    func untilEachServiceCame(to machine: Machine) async throws {
        let roles: [TestDatabase.Role] = [.ingestor, .rules, .notifier, .gateway]
        try await awaitFact("each service at the second server") { [self] in
            let log = log(of: "postgres", on: machine)
            let start = log.range(of: "starting PostgreSQL", options: .backwards)?.lowerBound ?? log.startIndex
            return roles.allSatisfy { log[start...].contains("connection authorized: user=\($0.rawValue) ") }
                ? true : nil
        }
    }

    /// The output of a program on a machine.
    func log(of program: String, on machine: Machine) -> String {
        (try? String(contentsOfFile: "\(machine.directory)/\(program).log", encoding: .utf8)) ?? ""
    }

    /// The ends of the logs of all machines, for failure messages.
    var logTails: String {
        machines.flatMap { machine in
            ["etcd", "patroni", "postgres"].map { program in
                let lines = log(of: program, on: machine).split(separator: "\n").suffix(20)
                return "--- \(program) of machine \(machine.number)\n" + lines.joined(separator: "\n")
            }
        }.joined(separator: "\n")
    }
}
