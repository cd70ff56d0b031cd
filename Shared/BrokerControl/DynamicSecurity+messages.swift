import FoundationEssentials
package import MQTT

extension DynamicSecurity {
    /// One command as the plugin reads it. Its description is the name alone, because the command may hold a password.
    package struct Command: Encodable, Sendable, CustomStringConvertible, CustomReflectable {
        let command: String
        var username: String?
        var password: String?
        var clientid: String?
        var verbose: Bool?
        var count: Int?
        var offset: Int?
        var rolename: String?
        var roles: [RoleReference]?
        var acls: [AccessRule]?
        var correlationData: String?

        /// Binds a device to its own name as client id: with another one it could take over somebody else's session.
        package static func createClient(_ user: String, password: String, roles: [String]) -> Command {
            Command(
                command: "createClient", username: user, password: password,
                clientid: roles.contains(deviceRole) ? user : nil, roles: roles.map { RoleReference(rolename: $0) })
        }

        package static func setClientPassword(_ user: String, password: String) -> Command {
            Command(command: "setClientPassword", username: user, password: password)
        }

        /// The plugin also ends the user's connection.
        static func setClientID(_ user: String, clientID: String) -> Command {
            Command(command: "setClientId", username: user, clientid: clientID)
        }

        static func listClients(count: Int, offset: Int) -> Command {
            Command(command: "listClients", verbose: true, count: count, offset: offset)
        }

        static func named(_ command: String, user: String? = nil, role: String? = nil) -> Command {
            Command(command: command, username: user, rolename: role)
        }

        static func role(_ command: String, _ name: String, _ rules: [AccessRule]) -> Command {
            Command(command: command, rolename: name, acls: rules)
        }

        func correlated(_ id: String) -> Command {
            var copy = self
            copy.correlationData = id
            return copy
        }

        package var description: String { command }
        package var customMirror: Mirror { Mirror(self, children: ["command": command]) }
    }

    package struct RoleReference: Codable, Hashable, Sendable {
        package let rolename: String
    }

    /// One rule of a role: whether its clients may publish to, receive from or subscribe to a topic.
    package struct AccessRule: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Sendable {
            /// The client publishes.
            case publishClientSend
            /// The broker delivers a message to the client.
            case publishClientReceive
            /// The client subscribes to a filter that this topic covers.
            case subscribePattern
        }

        package let acltype: Kind
        package let topic: String
        /// The matching rule with the highest priority decides.
        package let priority: Int
        package let allow: Bool

        package init(_ kind: Kind, _ topic: String, priority: Int = 0, allow: Bool = true) {
            acltype = kind
            self.topic = topic
            self.priority = priority
            self.allow = allow
        }
    }

    /// A user as the broker knows it.
    package struct Client: Decodable, Hashable, Sendable {
        package let username: String
        /// The only client id that the user may use; nil for any.
        package let clientid: String?
        private let disabled: Bool?
        private let roles: [RoleReference]?

        package var isDisabled: Bool { disabled ?? false }
        package var roleNames: [String] { (roles ?? []).map(\.rolename) }
        /// Whether this is a device without a bound client id, which could take over any session.
        package var isUnboundDevice: Bool { roleNames.contains(deviceRole) && clientid != username }
    }

    /// The answer to one command.
    package struct Response: Decodable, Sendable {
        let command: String
        let correlationData: String?
        let data: ResponseData?
        private let refusal: String?

        private enum CodingKeys: String, CodingKey {
            case command, correlationData, data
            case refusal = "error"
        }

        /// The plugin's refusal; nil if it did not refuse.
        package var error: MQTTError? {
            guard let refusal else { return nil }
            let meaning: MQTTError.ControlRefusal =
                if refusal.hasSuffix("already exists") {
                    .alreadyExists
                } else if refusal.hasSuffix("not found") || refusal.hasSuffix("does not exist") {
                    .notFound
                } else {
                    .invalid
                }
            return MQTTError(.controlRefused(meaning), detail: "\(command): \(refusal)")
        }
    }

    struct ResponseData: Decodable {
        let client: Client?
        let clients: [Client]?
    }

    /// Commands encoded in as few messages as the broker's size limit permits.
    struct Requests {
        let correlation: String
        /// The messages, each with its number of commands.
        private(set) var all: [(payload: [UInt8], commands: Int)] = []

        private static let opening = Array(#"{"commands":["#.utf8)
        private static let end = Array("]}".utf8)

        init(_ commands: [Command], atMost most: Int, bytes: Int) throws {
            correlation = "\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
            let encoder = JSONEncoder()
            for command in commands {
                let body = Array(try encoder.encode(command.correlated(correlation)))
                if let last = all.indices.last, all[last].commands < most,
                    all[last].payload.count + body.count + 1 + Self.end.count <= bytes
                {
                    all[last].payload += [UInt8(ascii: ",")] + body
                    all[last].commands += 1
                } else {
                    all.append((Self.opening + body, 1))
                }
            }
            for index in all.indices { all[index].payload += Self.end }
        }
    }

    struct Answer: Decodable {
        let responses: [Response]
    }
}
