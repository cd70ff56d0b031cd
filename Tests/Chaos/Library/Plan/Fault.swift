/// A fault to inject.
package enum Fault: Hashable, Sendable {
    /// SIGKILL, and again soon after the supervisor has restarted the service.
    case kill(Program)
    /// SIGSTOP, and SIGCONT when the fault ends.
    case freeze(Program)
    /// SIGTERM; the supervisor restarts the service.
    case restart(Program)
    /// A second copy joins, then one of the two is killed for good.
    case twins(Program)
    /// A second copy joins, then the first freezes, and wakes only when the other has done all the work.
    case stall(Program)
    /// PostgreSQL's immediate stop: SIGQUIT to the postmaster.
    case crashDatabase
    /// SIGKILL to a service's backend, after which PostgreSQL restarts all backends.
    case killBackend
    /// SIGKILL.
    case crashBroker
    /// SIGKILL while the Ingestor is behind: the broker's unsaved messages are lost.
    case crashBrokerBehind
    /// An orderly stop and a start.
    case restartBroker
    /// SIGSTOP for longer than the time after which a device counts as silent, then SIGCONT.
    case freezeBroker
    /// A new broker replaces one that stopped, on a machine that knows nothing but the accounts.
    case newBroker
    /// A new broker while no Ingestor reads: a first session keeps what devices publish.
    case newBrokerBehind
    case connections(Link, Trouble)
    /// No space left for PostgreSQL.
    case fullDisk
    /// No space left, not even for the write-ahead log, so that PostgreSQL stops.
    case fullLog
    /// The database refuses one device's messages, for a different reason each time, among those of all others.
    case poison
    case endpoint(Answer)
    case device(Mischief)
    /// A breakdown of the machines that PostgreSQL runs on.
    case machine(Breakdown)

    package enum Program: String, CaseIterable, Sendable {
        case ingestor, rules, notifier, gateway

        /// The programs that readings pass through. The Gateway has one copy here, at an address that people know.
        static let pipeline: [Program] = [.ingestor, .rules, .notifier]
    }

    /// A connection that leads through a proxy.
    package enum Link: String, CaseIterable, Sendable {
        case ingestorDatabase = "ingestor-database"
        case ingestorBroker = "ingestor-broker"
        case rulesDatabase = "rules-database"
        case notifierDatabase = "notifier-database"
        case notifierEndpoint = "notifier-endpoint"
        case gatewayDatabase = "gateway-database"
    }

    package enum Trouble: String, CaseIterable, Sendable {
        /// Every connection is reset, and each new one at once, until the fault ends.
        case cut
        /// Every packet takes longer, both ways.
        case delay
        /// One direction of every connection ends; the other goes on.
        case halfClose = "half-close"
        /// All bytes vanish; the connections are reset when the fault ends.
        case blackHole = "black-hole"
    }

    /// The answer of a push endpoint.
    package enum Answer: String, CaseIterable, Sendable {
        /// 429 with Retry-After.
        case tooMany = "429"
        case unavailable = "503"
        /// 410: the endpoint is retired, and its person registers it again after the fault.
        case gone = "410"
        case hang
        /// Receives the request and closes the connection.
        case drop
    }

    /// The misbehaviour of a device.
    package enum Mischief: String, CaseIterable, Sendable {
        case garbage
        /// The same readings again and again, some with different values.
        case duplicates
        /// Times that are not believed.
        case oldTimes = "old-times"
        case noTime = "no-time"
        /// A backlog sent at once.
        case flood
    }

    /// A breakdown of a machine. Nobody intervenes, except that the machine runs again in the end.
    package enum Breakdown: String, CaseIterable, Sendable {
        /// The power of the primary's machine fails.
        case failover
        /// The power of the synchronous standby's machine fails.
        case standbyDies = "standby-dies"
        /// The primary's machine goes on, but no packet leaves or reaches it.
        case silentMachine = "silent-machine"
        /// The former primary is started by hand as a server of its own, and services that start find it first.
        case splitBrain = "split-brain"
        /// etcd is killed on all machines, and stays away until Patroni has noticed.
        case etcdDies = "etcd-dies"
    }

    package static let all: [Fault] =
        Program.allCases.flatMap { [.kill($0), .freeze($0), .restart($0)] }
        + Program.pipeline.flatMap { [.twins($0), .stall($0)] }
        + [.crashDatabase, .killBackend, .fullDisk, .fullLog, .poison]
        + [.crashBroker, .crashBrokerBehind, .restartBroker, .freezeBroker, .newBroker, .newBrokerBehind]
        + Link.allCases.flatMap { link in Trouble.allCases.map { .connections(link, $0) } }
        + Answer.allCases.map { .endpoint($0) } + Mischief.allCases.map { .device($0) }
        + Breakdown.allCases.map { .machine($0) }

    /// The fault's name in `--only` and in the table: the kind, then the target.
    package var name: String {
        switch self {
        case .kill(let program): "kill-\(program.rawValue)"
        case .freeze(let program): "freeze-\(program.rawValue)"
        case .restart(let program): "restart-\(program.rawValue)"
        case .twins(let program): "twins-\(program.rawValue)"
        case .stall(let program): "stall-\(program.rawValue)"
        case .crashDatabase: "crash-database"
        case .killBackend: "kill-backend"
        case .crashBroker: "crash-broker"
        case .crashBrokerBehind: "crash-broker-behind"
        case .restartBroker: "restart-broker"
        case .freezeBroker: "freeze-broker"
        case .newBroker: "new-broker"
        case .newBrokerBehind: "new-broker-behind"
        case .connections(let link, let trouble): "\(trouble.rawValue)-\(link.rawValue)"
        case .fullDisk: "full-disk"
        case .fullLog: "full-disk-log"
        case .poison: "poison"
        case .endpoint(let answer): "endpoint-\(answer.rawValue)"
        case .device(let mischief): "device-\(mischief.rawValue)"
        case .machine(let breakdown): breakdown.rawValue
        }
    }

    /// The faults with this name, or whose names begin with these words: `kill`, `kill-rules`.
    package static func named(_ text: String) -> [Fault] {
        all.filter { $0.name == text || $0.name.hasPrefix(text + "-") }
    }

    /// Whether the fault may come between a request and the record of its answer. The acceptance is then unknown, and
    /// the request is sent again.
    package func mayRepeatDeliveries(at endpoint: RoundRecord.Endpoint) -> Bool {
        switch self {
        case .kill(.notifier), .freeze(.notifier), .restart(.notifier), .twins(.notifier), .stall(.notifier): true
        case .crashDatabase, .killBackend, .fullDisk, .fullLog: true
        case .connections(.notifierDatabase, _), .machine: true
        // An endpoint's refusal or silence is visible in each request; a request answered with 200 was not affected.
        case .connections(.notifierEndpoint, _): endpoint == .first
        default: false
        }
    }

    /// The microseconds for which a delivery may stay with an inactive holder: a Notifier that is frozen beside another
    /// keeps its leases until they expire a minute later.
    package var leaseKept: Int { self == .stall(.notifier) ? 60_000_000 : 0 }

    /// Whether the fault affects one device only.
    package var holdsNobodyUp: Bool { self == .poison }

    /// Whether an engine may be frozen in the middle of a transaction.
    package var freezesEngine: Bool { self == .freeze(.rules) || self == .stall(.rules) }

    /// Whether answers may stay unrecorded after the fault itself, until the system has recovered.
    package var keepsRecordsAway: Bool {
        switch self {
        case .freeze(.notifier), .stall(.notifier), .crashDatabase, .killBackend, .fullDisk, .fullLog: true
        case .connections(.notifierDatabase, _), .machine: true
        default: false
        }
    }
}

extension Fault {
    /// The servers that a fault needs.
    enum Ground: CaseIterable, Sendable {
        /// One PostgreSQL server, which comes back after each end.
        case oneServer
        /// PostgreSQL on machines that may die.
        case machines
    }

    var ground: Ground {
        if case .machine = self { .machines } else { .oneServer }
    }
}
