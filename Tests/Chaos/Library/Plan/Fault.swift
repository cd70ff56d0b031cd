/// One thing that goes wrong.
package enum Fault: Hashable, Sendable {
    /// SIGKILL, and again soon after a supervisor has started it again.
    case kill(Program)
    /// SIGSTOP, and SIGCONT when the fault ends.
    case freeze(Program)
    /// SIGTERM; a supervisor starts it again.
    case restart(Program)
    /// A second copy joins, then one of the two is killed for good.
    case twins(Program)
    /// A second copy joins, then the first freezes, and wakes only when the other has done all the work.
    case stall(Program)
    /// PostgreSQL's immediate stop: SIGQUIT to the postmaster.
    case crashDatabase
    /// SIGKILL to a backend of a service, after which PostgreSQL starts all anew.
    case killBackend
    /// SIGKILL.
    case crashBroker
    /// The same while the Ingestor is behind: what the broker holds and has not saved is gone.
    case crashBrokerBehind
    /// An orderly stop and a start.
    case restartBroker
    case connections(Link, Trouble)
    /// No space left for PostgreSQL.
    case fullDisk
    /// The same until there is no room for the write-ahead log either, and PostgreSQL gives up.
    case fullLog
    case endpoint(Answer)
    case device(Mischief)

    package enum Program: String, CaseIterable, Sendable { case ingestor, rules, notifier }

    /// Whose connections a proxy stands in.
    package enum Link: String, CaseIterable, Sendable {
        case ingestorDatabase = "ingestor-database"
        case ingestorBroker = "ingestor-broker"
        case rulesDatabase = "rules-database"
        case notifierDatabase = "notifier-database"
        case notifierEndpoint = "notifier-endpoint"
    }

    package enum Trouble: String, CaseIterable, Sendable {
        /// Every connection is reset, and new ones as soon as they are made, until the fault ends.
        case cut
        /// Every packet takes longer, both ways.
        case delay
        /// One direction of every connection ends; the other goes on.
        case halfClose = "half-close"
        /// Whatever is sent vanishes; the connections are reset when the fault ends.
        case blackHole = "black-hole"
    }

    /// What a push endpoint answers.
    package enum Answer: String, CaseIterable, Sendable {
        /// 429 with Retry-After.
        case tooMany = "429"
        case unavailable = "503"
        /// 410: the endpoint is retired, and its person registers it again after the fault.
        case gone = "410"
        case hang
        /// Takes the request and closes the connection.
        case drop
    }

    /// What a device does that should not.
    package enum Mischief: String, CaseIterable, Sendable {
        case garbage
        /// The same readings again and again, some with other values.
        case duplicates
        /// Clocks that cannot be believed.
        case oldTimes = "old-times"
        case noTime = "no-time"
        /// A back-log in one piece.
        case flood
    }

    package static let all: [Fault] =
        Program.allCases.flatMap { [.kill($0), .freeze($0), .restart($0), .twins($0), .stall($0)] }
        + [.crashDatabase, .killBackend, .crashBroker, .crashBrokerBehind, .restartBroker, .fullDisk, .fullLog]
        + Link.allCases.flatMap { link in Trouble.allCases.map { .connections(link, $0) } }
        + Answer.allCases.map { .endpoint($0) } + Mischief.allCases.map { .device($0) }

    /// What it is called in `--only` and in the table: the kind, then the target.
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
        case .connections(let link, let trouble): "\(trouble.rawValue)-\(link.rawValue)"
        case .fullDisk: "full-disk"
        case .fullLog: "full-disk-log"
        case .endpoint(let answer): "endpoint-\(answer.rawValue)"
        case .device(let mischief): "device-\(mischief.rawValue)"
        }
    }

    /// The faults of a name, or of the words that a name begins with: `kill`, `kill-rules`.
    package static func named(_ text: String) -> [Fault] {
        all.filter { $0.name == text || $0.name.hasPrefix(text + "-") }
    }

    /// Between a request and the record of its answer this may come: then whether it was taken is not known, and it is
    /// sent again.
    package func mayRepeatDeliveries(at endpoint: RoundRecord.Endpoint) -> Bool {
        switch self {
        case .kill(.notifier), .freeze(.notifier), .restart(.notifier), .twins(.notifier), .stall(.notifier): true
        case .crashDatabase, .killBackend, .fullDisk, .fullLog: true
        case .connections(.notifierDatabase, _): true
        // An endpoint that refuses or is silent explains itself with each request; what was answered 200 was not troubled.
        case .connections(.notifierEndpoint, _): endpoint == .first
        default: false
        }
    }

    /// For how many microseconds a delivery may stay with somebody who does nothing: a notifier that is frozen beside another keeps
    /// what it has leased until its lease ends, a minute later.
    package var leaseKept: Int { self == .stall(.notifier) ? 60_000_000 : 0 }

    /// Whether what was answered may stay unrecorded after the fault itself, until everything is well.
    package var keepsRecordsAway: Bool {
        switch self {
        case .freeze(.notifier), .stall(.notifier), .crashDatabase, .killBackend, .fullDisk, .fullLog: true
        case .connections(.notifierDatabase, _): true
        default: false
        }
    }
}
