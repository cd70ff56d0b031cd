import FoundationEssentials
package import MQTT
import MQTTFleet

/// Manages the broker's users through Mosquitto's dynamic-security plugin.
///
/// Commands are JSON on `$CONTROL/dynamic-security/v1`; the plugin answers on one topic for all administrators, so answers are
/// told apart by the correlation data of their commands. The plugin keeps hashes only and takes plain passwords only: send
/// them over TLS or loopback.
///
/// ```
/// try await DynamicSecurity.with(configuration) { security in
///     try await security.ensureClient("pond-1", password: key)
/// }
/// ```
package actor DynamicSecurity {
    private static let topic = "$CONTROL/dynamic-security/v1"

    /// The prefix of services' user names; no device may have such a name.
    package static let reservedPrefix = "aqua_"
    /// Whether an account is a service's: beside certificates these have a dot, which no certificate of the fleet and no device can have.
    package static func isService(_ user: String) -> Bool { user.hasPrefix(reservedPrefix) || user.hasPrefix("aqua.") }
    /// The role that `deploy/broker/init` makes for devices: it keeps them out of shared and foreign subscriptions, which the
    /// broker's ACL file alone would let them have.
    package static let deviceRole = "device"
    /// The broker's limit on a message, `message_size_limit` of its configuration.
    private static let largestRequest = 4_096
    private static let clientsPerPage = 500

    private let fleet: MQTTFleet
    private let client: MQTTFleet.Client
    private let timeout: Duration
    /// Requests without an answer yet, by their correlation data.
    private var waiting: [String: AsyncStream<[Response]>.Continuation] = [:]

    /// Connects as an administrator for as long as `body` runs.
    /// - Throws: `notAuthorized` if the user has no right to the control topic.
    @discardableResult
    package static func with<Result: Sendable>(
        _ configuration: MQTTConfiguration, _ body: @Sendable @escaping (DynamicSecurity) async throws -> Result
    ) async throws -> Result {
        try await with(firstOf: [configuration], body)
    }

    /// Connects to the first of several brokers that admits us, for as long as `body` runs.
    @discardableResult
    package static func with<Result: Sendable>(
        firstOf configurations: [MQTTConfiguration],
        _ body: @Sendable @escaping (DynamicSecurity) async throws -> Result
    ) async throws -> Result {
        try await MQTTFleet.with { fleet in
            let (client, timeout) = try await firstBroker(of: configurations) {
                (try await fleet.add($0), $0.timeout)
            }
            let security = DynamicSecurity(fleet: fleet, client: client, timeout: timeout)
            try await fleet.subscribe([MQTTSubscription("\(topic)/response")], as: client)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await security.listen() }
                defer { group.cancelAll() }
                return try await body(security)
            }
        }
    }

    private init(fleet: MQTTFleet, client: MQTTFleet.Client, timeout: Duration) {
        self.fleet = fleet
        self.client = client
        self.timeout = timeout
    }

    // MARK: Clients

    /// Adds a user.
    /// - Throws: `controlRefused(.alreadyExists)`, and `.notFound` for an unknown role.
    package func createClient(_ user: String, password: String, roles: [String] = [deviceRole]) async throws {
        try await perform(.createClient(user, password: password, roles: roles))
    }

    /// Adds a user, unless the name exists: then its password and roles stay.
    /// - Returns: Whether it was added.
    @discardableResult
    package func ensureClient(
        _ user: String, password: String, roles: [String] = [deviceRole]
    ) async throws -> Bool {
        try await ensureClients([(user, password)], roles: roles) == 1
    }

    /// Adds the users that do not exist yet, many in one request.
    /// - Returns: How many were added.
    @discardableResult
    package func ensureClients(
        _ clients: [(user: String, password: String)], roles: [String] = [deviceRole]
    ) async throws -> Int {
        for client in clients where roles == [Self.deviceRole] && Self.isService(client.user) {
            throw MQTTError(
                .invalidConfiguration, "a device id does not begin with \(Self.reservedPrefix): those are services")
        }
        let responses = try await send(
            clients.map { .createClient($0.user, password: $0.password, roles: roles) })
        var added = 0
        for response in responses {
            switch response.error {
            case nil: added += 1
            case let error? where error.code == .controlRefused(.alreadyExists): break
            case let error?: throw error
            }
        }
        return added
    }

    /// Changes a device's password, binds the device to its own client id, and ends the connections that used the old
    /// password.
    package func setDevicePassword(_ password: String, of device: String) async throws {
        let commands: [Command] = [
            .setClientPassword(device, password: password), .setClientID(device, clientID: device),
        ]
        for response in try await send(commands) { if let error = response.error { throw error } }
    }

    /// Changes a password and ends the connections that used the old one.
    package func setPassword(_ password: String, of user: String) async throws {
        try await perform(.setClientPassword(user, password: password))
    }

    /// Removes a user and ends its connections.
    package func deleteClient(_ user: String) async throws { try await perform(.named("deleteClient", user: user)) }

    /// Removes users, a few in one request, and ends their connections; unknown names are skipped.
    package func deleteClients(_ users: [String]) async throws {
        for response in try await send(users.map { .named("deleteClient", user: $0) }, atMost: 10) {
            if let error = response.error, error.code != .controlRefused(.notFound) { throw error }
        }
    }

    /// Locks a user out, and ends its connections, until `enableClient`.
    package func disableClient(_ user: String) async throws { try await perform(.named("disableClient", user: user)) }

    package func enableClient(_ user: String) async throws { try await perform(.named("enableClient", user: user)) }

    /// The broker's record of a user; nil if there is none.
    package func client(_ user: String) async throws -> Client? {
        do {
            return try await perform(.named("getClient", user: user)).data?.client
        } catch let error as MQTTError where error.code == .controlRefused(.notFound) {
            return nil
        }
    }

    /// All users.
    package func listClients() async throws -> [Client] {
        var clients: [Client] = []
        while true {
            let command = Command.listClients(count: Self.clientsPerPage, offset: clients.count)
            let page = try await perform(command).data?.clients ?? []
            clients += page
            if page.count < Self.clientsPerPage { return clients }
        }
    }

    /// Binds devices to their own name as client id and ends their connections, also those under another client id.
    /// Each request holds a few commands only, because the plugin saves all users after each command.
    package func bindDevices(_ users: [String]) async throws {
        for response in try await send(users.map { .setClientID($0, clientID: $0) }, atMost: 10) {
            if let error = response.error, error.code != .controlRefused(.notFound) { throw error }
        }
    }

    // MARK: Roles

    /// Adds a role, or gives the one of that name exactly these rules.
    package func ensureRole(_ name: String, rules: [AccessRule]) async throws {
        let response = try await send([.role("createRole", name, rules)])[0]
        guard let error = response.error else { return }
        guard error.code == .controlRefused(.alreadyExists) else { throw error }
        try await perform(.role("modifyRole", name, rules))
    }

    /// Gives a user one more role.
    package func addRole(_ role: String, to user: String) async throws {
        try await perform(.named("addClientRole", user: user, role: role))
    }

    // MARK: Requests

    @discardableResult
    private func perform(_ command: Command) async throws -> Response {
        let response = try await send([command])[0]
        if let error = response.error { throw error }
        return response
    }

    /// Sends commands in requests of a bounded size and returns one answer for each command, in order.
    /// - Parameter most: The most commands in one request. The plugin saves its file after each change, so a long
    ///   request stalls the broker.
    package func send(_ commands: [Command], atMost most: Int = 100) async throws -> [Response] {
        var responses: [Response] = []
        let requests = try Requests(commands, atMost: most, bytes: Self.largestRequest)
        for request in requests.all {
            responses += try await send(request.payload, commands: request.commands, id: requests.correlation)
        }
        return responses
    }

    private func send(_ payload: [UInt8], commands: Int, id: String) async throws -> [Response] {
        let (answers, sink) = AsyncStream.makeStream(of: [Response].self, bufferingPolicy: .bufferingNewest(1))
        waiting[id] = sink
        defer { waiting[id] = nil }
        let responses = try await ask(MQTTMessage(topic: Self.topic, payload: payload), answers)
        guard responses.count == commands else {
            throw MQTTError(.protocolViolation, detail: "\(responses.count) answers to \(commands) commands")
        }
        return responses
    }

    /// Publishes a request and waits for its answer. The timeout covers the publishing too: an administrator who
    /// changes their own account is disconnected and cannot come back, so the message is never acknowledged.
    private func ask(_ message: MQTTMessage, _ answers: AsyncStream<[Response]>) async throws -> [Response] {
        let (timeout, fleet, client) = (timeout, fleet, client)
        return try await withThrowingTaskGroup(of: [Response].self) { group in
            group.addTask {
                try await fleet.publish(message, as: client)
                for await answer in answers { return answer }
                throw CancellationError()
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw MQTTError(.timeout)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    private func listen() async {
        for await message in client.messages {
            // Other administrators' answers arrive here too, and may be anything.
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(message.payload)),
                let id = answer.responses.first?.correlationData
            else { continue }
            waiting[id]?.yield(answer.responses)
        }
    }
}
