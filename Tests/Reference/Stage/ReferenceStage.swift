import Foundation
import TestSupport

/// The real services with two engines, the people of the courses and their receivers.
struct ReferenceStage: Sendable {
    let system: TestSystem
    let receivers: Receivers
    let origin: String
    /// The people who share devices.
    private let shared: [Person: Account]

    private init(_ system: TestSystem, _ receivers: Receivers, _ origin: String) {
        (self.system, self.receivers, self.origin) = (system, receivers, origin)
        shared = Dictionary(uniqueKeysWithValues: [.ann, .bob, .cyn].map { ($0, Account($0.rawValue, at: origin)) })
    }

    static func with<Result: Sendable>(
        _ policy: Policy, _ body: @Sendable @escaping (ReferenceStage) async throws -> Result
    ) async throws -> Result {
        let shared = [
            "AQUA_THROTTLE": "\(policy.interval)ms", "AQUA_HOLD": "\(policy.hold)ms", "AQUA_SILENCE_AFTER": "1d",
        ]
        let rules = shared.merging(["AQUA_RECOVERY_DELAY": "\(policy.calm)ms"]) { $1 }
        return try await TestSystem.with(settings: ["aqua-rules": rules]) { system in
            let receivers = Receivers(system.sink)
            for program in TestSystem.services { try system.start(program) }
            try system.start("aqua-rules", as: "aqua-rules-2")
            try system.start("aqua-gateway")
            // The clock is always in doubt: otherwise the interval of an alarm that comes more than a minute late would
            // begin later, and playing a course takes as long as the machine needs.
            try await system.database.sql(
                "CREATE OR REPLACE FUNCTION clock_is_trusted() RETURNS boolean LANGUAGE sql STABLE AS 'SELECT false'")
            for program in TestSystem.services { try await system.process(program).untilReady() }
            let origin = try await system.process("aqua-gateway").servesPeople()
            let stage = ReferenceStage(system, receivers, origin)
            for (person, account) in stage.shared { try await stage.open(person, account) }
            return try await body(stage)
        }
    }

    /// Opens an account with an endpoint.
    private func open(_ person: Person, _ account: Account) async throws {
        try await system.tool(["account", "add", account.email], input: Account.password)
        try await addEndpoint(account)
        if let interval = person.ownInterval {
            try await account.patiently("PATCH", "/settings", json: #"{"throttleSeconds":\#(interval)}"#)
        }
    }

    func addEndpoint(_ account: Account) async throws {
        try await system.tool([
            "endpoint", "add", account.email, "--webhook", system.sink.url(path: "/\(account.name)"), "--json",
        ])
    }

    /// Adds a device with everybody who watches it.
    func provision(_ plan: Plan, as name: String) async throws -> Subject {
        var people = shared
        if plan.course.people.contains(.solo) {
            let own = Account("solo-\(name)", at: origin)
            try await open(.solo, own)
            people[.solo] = own
        }
        let added = try await system.tool(["device", "add", name, "--json"])
        let subject = Subject(
            plan: plan, name: name, password: try system.field("mqttPassword", of: added), people: people, stage: self)
        try await subject.link(plan.course.owner, code: system.field("claimCode", of: added))
        for person in plan.course.people where person != plan.course.owner { try await subject.share(with: person) }
        // Moves the ownership into the past, because readings are decided only for people who had the device at the
        // time.
        try await system.database.sql(
            """
            UPDATE ownership SET linked_at = linked_at - interval '1 day', readings_from = '-infinity'
            WHERE device_id = (SELECT device_id FROM device WHERE hardware_id = '\(name)')
            """)
        for (watch, limits) in plan.course.watches.sorted(by: { $0.key < $1.key }) {
            try await subject.set(watch, limits)
        }
        return subject
    }

    /// Kills a service as a power cut would, and restarts it.
    func kill(_ name: String) async throws {
        let process = try system.process(name)
        process.signal(SIGKILL)
        _ = await process.end
        try system.start(name.hasPrefix("aqua-rules") ? "aqua-rules" : name, as: name)
    }
}
