import Foundation
import Synchronization
import TestSupport

/// A device that plays a course on the real services.
final class Subject: Sendable {
    let plan: Plan
    let name: String
    private let password: String
    private let people: [Person: Account]
    private let stage: ReferenceStage

    private struct State {
        /// The course's zero and the hand-over, in milliseconds since 1970.
        var zero = 0
        var handOver: Int?
        var owner: Person
        var published: Set<[Int]> = []
        /// The number of bursts sent.
        var bursts = 0
    }

    private let state: Mutex<State>

    init(plan: Plan, name: String, password: String, people: [Person: Account], stage: ReferenceStage) {
        self.plan = plan
        self.name = name
        self.password = password
        self.people = people
        self.stage = stage
        state = Mutex(State(owner: plan.course.owner))
    }

    /// Sets the periods of limits, too, whose times are known from here on.
    func begin(at zero: Int) async throws {
        state.withLock { $0.zero = zero }
        for (watch, limits) in plan.course.watches where !limits.periods.isEmpty { try await set(watch, limits) }
    }

    func account(_ person: Person) throws -> Account {
        guard let account = people[person] else { throw TestSupportError("\(person) does not watch \(name)") }
        return account
    }

    /// The number of different values sent.
    var published: Int { state.withLock { $0.published.count } }

    // MARK: Times

    private func time(_ time: Int) -> Int {
        state.withLock { state in
            guard time >= Course.handOver, let handOver = state.handOver else { return state.zero + time }
            return handOver + time - Course.handOver
        }
    }

    /// Converts milliseconds since 1970 to the course's time.
    func courseTime(_ time: Int) -> Int {
        state.withLock { state in
            guard let handOver = state.handOver, time > handOver else { return time - state.zero }
            return time - handOver + Course.handOver
        }
    }

    // MARK: Readings

    func publish(_ burst: [Reading]) async throws {
        guard !burst.isEmpty else { return }
        state.withLock { state in
            for reading in burst {
                for (quantity, value) in reading.values where value != .sentinel {
                    state.published.insert([reading.time, quantity.number])
                }
            }
        }
        try await stage.system.cluster.broker.publish(
            [unsettling()] + burst.map(payload), as: name, password: password, to: "aqua/v1/\(name)/readings")
    }

    /// An old reading of a parameter that nobody watches, which keeps the device's lag from being level. On a slow
    /// machine a course plays as fast as it was measured, and would prove a clock that is minutes behind.
    private func unsettling() -> String {
        let time = state.withLock { state in
            state.bursts += 1
            return state.zero - 7_200_000 + state.bursts
        }
        return #"{"time":\#(deviceTime(time)),"readings":{"nitrate":10}}"#
    }

    private func payload(_ reading: Reading) -> String {
        let values = reading.values.map { quantity, value in
            switch value {
            case .water(let hundredths): #""\#(quantity.rawValue)":\#(decimal(hundredths))"#
            case .sentinel: #""\#(quantity.rawValue)":\#(quantity == .temperature ? "-127" : "\"nan\"")"#
            }
        }
        return #"{"time":\#(deviceTime(time(reading.time))),"readings":{\#(values.joined(separator: ","))}}"#
    }

    /// Milliseconds in the device's own unit.
    private func deviceTime(_ time: Int) -> String { "\(time / 1000).\("\(time % 1000 + 1000)".dropFirst())" }

    // MARK: People

    func perform(_ act: Act) async throws {
        switch act {
        case .limits(let watch, let limits): try await set(watch, limits)
        case .snooze(let watch): try await answer(watch, "POST", "snooze", #"{"minutes":30}"#)
        case .acknowledge(let watch): try await answer(watch, "POST", "acknowledge", nil)
        case .wake(let watch): try await answer(watch, "DELETE", "snooze", nil)
        case .freeze(let person): stage.receivers.freeze("/\(try account(person).name)", name)
        case .thaw(let person): stage.receivers.thaw("/\(try account(person).name)", name)
        case .removeEndpoint(let person): try await removeEndpoints(of: account(person))
        case .addEndpoint(let person): try await stage.addEndpoint(account(person))
        case .leave(let person): try await account(person).patiently("DELETE", "/devices/\(name)")
        case .handOver(let person, let limits): try await handOver(to: person, limits)
        }
    }

    func link(_ person: Person, code: String) async throws {
        let email = try account(person).email
        try await stage.system.tool(["device", "link", email, code, "--name", name])
        state.withLock { $0.owner = person }
    }

    func share(with person: Person) async throws {
        let owner = state.withLock(\.owner)
        let made = try await account(owner).patiently("POST", "/devices/\(name)/invitations")
        try await account(person).patiently(
            "POST", "/invitations/accept", json: #"{"token":"\#(try made.member("token"))"}"#)
    }

    func set(_ watch: Watch, _ limits: Limits) async throws {
        func shown(_ steps: Int?) -> String { steps.map { decimal($0 * 10) } ?? "null" }
        let json = """
            {"minimum":\(shown(limits.minimum)),"maximum":\(shown(limits.maximum)),\
            "criticalMinimum":\(shown(limits.criticalMinimum)),"criticalMaximum":\(shown(limits.criticalMaximum)),\
            "delaySeconds":\(limits.delay),"tellsUnstable":\(limits.tellsUnstable)\(periods(limits, shown))}
            """
        try await account(watch.person).patiently(
            "PATCH", "/devices/\(name)/parameters/\(watch.quantity.rawValue)", json: json)
    }

    /// The periods by the clock of the people, which is that of UTC.
    private func periods(_ limits: Limits, _ shown: (Int?) -> String) -> String {
        guard !limits.periods.isEmpty, state.withLock({ $0.zero > 0 }) else { return "" }
        func clock(_ milliseconds: Int) -> String {
            let minute = time(milliseconds) / 60_000 % 1_440
            return "\("\(minute / 60 + 100)".dropFirst()):\("\(minute % 60 + 100)".dropFirst())"
        }
        let all = limits.periods.map { period in
            """
            {"from":"\(clock(period.time.lowerBound))","until":"\(clock(period.time.upperBound))",\
            "minimum":\(shown(period.minimum)),"maximum":\(shown(period.maximum)),\
            "criticalMinimum":\(shown(period.criticalMinimum)),"criticalMaximum":\(shown(period.criticalMaximum))}
            """
        }
        return #","periods":[\#(all.joined(separator: ","))]"#
    }

    private struct Page<Item: Decodable>: Decodable {
        let items: [Item]
    }

    private struct Alert: Decodable {
        let id: String
        let purpose: String
    }

    /// Answers the newest alarm or reminder that the person got.
    private func answer(_ watch: Watch, _ method: String, _ what: String, _ json: String?) async throws {
        let account = try account(watch.person)
        let list = try await account.patiently(
            "GET", "/alerts?device=\(name)&parameter=\(watch.quantity.rawValue)&kind=range&state=delivered&limit=50")
        let page = try JSONDecoder().decode(Page<Alert>.self, from: Data(list.text.utf8))
        // Without one the services differ from the rules, which the comparison shows.
        guard let alert = page.items.first(where: { $0.purpose != "recovery" }) else { return }
        let answer = try await account.ask(method, "/alerts/\(alert.id)/\(what)", json: json)
        guard [200, 204, 404, 409].contains(answer.status) else {
            throw TestSupportError("\(method) \(what): \(answer.status) \(answer.text)")
        }
    }

    private func removeEndpoints(of account: Account) async throws {
        struct Endpoint: Decodable {
            let id: Int
        }
        let list = try await account.patiently("GET", "/endpoints")
        for endpoint in try JSONDecoder().decode(Page<Endpoint>.self, from: Data(list.text.utf8)).items {
            try await account.patiently("DELETE", "/endpoints/\(endpoint.id)")
        }
    }

    private func handOver(to person: Person, _ limits: [Quantity: Limits]) async throws {
        let owner = try account(state.withLock(\.owner)).email
        let unlinked = try await stage.system.tool(["device", "unlink", owner, name, "--json"])
        try await link(person, code: stage.system.field("claimCode", of: unlinked))
        for (quantity, limits) in limits { try await set(Watch(person: person, quantity: quantity), limits) }
        let now = Int(Date().timeIntervalSince1970 * 1000)
        state.withLock { $0.handOver = now }
    }
}
