import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Anna, who owns `pond-1`; Ben, who watches it; Eve, a stranger who owns `pond-2`.
struct JournalScene: Sendable {
    typealias Person = GatewayUnderTest.Person
    typealias Reply = GatewayUnderTest.Reply

    let gateway: GatewayUnderTest
    let anna: Person
    let ben: Person
    let eve: Person

    static func with(_ body: @Sendable @escaping (JournalScene) async throws -> Void) async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = JournalScene(
                gateway: gateway, anna: try await gateway.person("anna@example.com"),
                ben: try await gateway.person("ben@example.com"), eve: try await gateway.person("eve@example.com"))
            try await gateway.link("pond-1", to: scene.anna)
            try await gateway.link("pond-1", to: scene.ben, role: "watcher")
            try await gateway.link("pond-2", to: scene.eve)
            try await body(scene)
        }
    }

    /// A UUID by its number.
    static func id(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    func path(_ entry: Int, of device: String = "pond-1") -> String {
        "/api/v1/devices/\(device)/journal/\(Self.id(entry))"
    }

    func photo(_ photo: Int, of entry: Int, on device: String = "pond-1") -> String {
        path(entry, of: device) + "/photos/\(Self.id(photo))"
    }

    static func fed(_ text: String? = nil, at: String = "2026-05-01T12:00:00Z") -> JSON {
        ["kind": "fed", "at": .string(at), "amount": 2, "unit": "gram", "text": text.map(JSON.string) ?? .null]
    }

    func put(_ path: String, _ person: Person, _ json: JSON, ifMatch: String? = nil) async throws -> Reply {
        let headers: HTTPHeaders = ifMatch.map { ["If-Match": $0] } ?? [:]
        return try await gateway.request(.PUT, path, person, json: json, headers: headers)
    }

    func put(_ path: String, _ person: Person, file: [UInt8], type: String = "image/jpeg") async throws -> Reply {
        try await gateway.request(.PUT, path, person, body: file, headers: ["Content-Type": type])
    }

    func get(_ path: String, _ person: Person) async throws -> Reply { try await gateway.request(.GET, path, person) }
    func delete(_ path: String, _ person: Person) async throws -> Reply {
        try await gateway.request(.DELETE, path, person)
    }

    /// The last digits of the ids on a page of a journal, and the page's cursor.
    func page(_ path: String, _ person: Person) async throws -> (ids: [Int], next: String?) {
        let reply = try await get(path, person)
        #expect(reply.status == 200, "\(reply.text)")
        let items = reply.json?["items"]?.array ?? []
        return (items.compactMap { $0["id"]?.string.flatMap { Int($0.suffix(12)) } }, reply.json?["next"]?.string)
    }

    func unlink(_ device: String, from person: Person) async throws {
        try await gateway.database.sql(
            """
            UPDATE ownership o SET unlinked_at = now() FROM device d
            WHERE d.slot = o.slot AND d.device_id = o.device_id AND d.hardware_id = '\(device)' AND o.account_id = \(person.account)
            """)
    }
}
