import Foundation
import TestSupport

/// The real services, two engines among them, with the people of the courses and their receivers.
struct ReferenceStage: Sendable {
    static let password = "correct horse battery"

    let system: TestSystem
    let receivers: Receivers
    let origin: String
    private let sessions = Sessions()

    /// Access tokens of the people who share devices. A password takes long to check, and a token ends after ten minutes.
    private actor Sessions {
        private var clients: [Person: PeopleClient] = [:]
        private var since = ContinuousClock.now

        func all(_ signIn: @Sendable (Person) async throws -> PeopleClient) async throws -> [Person: PeopleClient] {
            if clients.isEmpty || since.duration(to: .now) > .seconds(240) {
                since = .now
                for person in [Person.ann, .bob, .cyn] { clients[person] = try await signIn(person) }
            }
            return clients
        }
    }

    func sharedClients() async throws -> [Person: PeopleClient] {
        try await sessions.all { try await signIn($0.rawValue) }
    }

    private init(_ system: TestSystem, _ receivers: Receivers, _ origin: String) {
        (self.system, self.receivers, self.origin) = (system, receivers, origin)
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
            // The interval of an alarm that comes more than a minute late begins that much later, unless the clock that says so is
            // in doubt. How long a course takes to play depends on the machine.
            try await system.database.sql(
                "CREATE OR REPLACE FUNCTION clock_is_trusted() RETURNS boolean LANGUAGE sql STABLE AS 'SELECT false'")
            for program in TestSystem.services { try await system.process(program).untilReady() }
            let origin = try await system.process("aqua-gateway").servesPeople()
            let stage = ReferenceStage(system, receivers, origin)
            for person in [Person.ann, .bob, .cyn] { try await stage.open(person, person.rawValue) }
            return try await body(stage)
        }
    }

    /// Opens an account with an endpoint.
    private func open(_ person: Person, _ name: String) async throws {
        try await system.tool(["account", "add", email(name)], input: Self.password)
        try await addEndpoint(name)
        if let interval = person.ownInterval {
            try await signIn(name).patiently("PATCH", "/settings", json: #"{"throttleSeconds":\#(interval)}"#)
        }
    }

    func email(_ name: String) -> String { "\(name)@example.org" }

    func addEndpoint(_ name: String) async throws {
        try await system.tool([
            "endpoint", "add", email(name), "--webhook", system.sink.url(path: "/\(name)"), "--json",
        ])
    }

    func signIn(_ name: String) async throws -> PeopleClient {
        try await PeopleClient(origin: origin).signedIn(email(name), password: Self.password)
    }

    /// Adds a device with everybody who watches it.
    func provision(_ plan: Plan, as name: String, _ shared: [Person: PeopleClient]) async throws -> Subject {
        var people: [Person: Subject.Client] = [:]
        for person in Person.allCases {
            if let client = shared[person] { people[person] = Subject.Client(name: person.rawValue, client: client) }
        }
        if plan.course.people.contains(.solo) {
            let own = "solo-\(name)"
            try await open(.solo, own)
            people[.solo] = Subject.Client(name: own, client: try await signIn(own))
        }
        let added = try await system.tool(["device", "add", name, "--json"])
        let subject = Subject(
            plan: plan, name: name, password: try system.field("mqttPassword", of: added), people: people, stage: self)
        try await subject.link(plan.course.owner, code: system.field("claimCode", of: added))
        for person in plan.course.people where person != plan.course.owner { try await subject.share(with: person) }
        // Readings are decided for people who had the device when they were measured: as if all had it since yesterday.
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

    /// Kills a service as a power cut would, and starts it anew.
    func kill(_ name: String) async throws {
        let process = try system.process(name)
        process.signal(SIGKILL)
        _ = await process.end
        try system.start(name.hasPrefix("aqua-rules") ? "aqua-rules" : name, as: name)
    }
}

extension PeopleClient {
    /// Like `succeed`, and asks again where it was too much at once.
    @discardableResult
    func patiently(_ method: String, _ path: String, json: String? = nil) async throws -> Answer {
        try await awaitFact("\(method) \(path)") {
            let answer = try await ask(method, path, json: json, headers: ["If-Match": "*"])
            if answer.status == 429 { return nil }
            guard answer.status / 100 == 2 else {
                throw TestSupportError("\(method) \(path): \(answer.status) \(answer.text)")
            }
            return answer
        }
    }
}
