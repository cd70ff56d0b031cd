import Foundation
import Synchronization
import TestSupport

/// One walk through the web app. Its program prints each request as "ask NUMBER [verb, argument...]", and reads the
/// answer from a file of that number.
struct WebAppVisit {
    struct Outcome {
        let end: ProcessUnderTest.End
        let output: String
    }

    /// Whether the load on a slow phone is measured, which asserts nothing.
    static let measures = ProcessInfo.processInfo.environment["AQUA_MEASURE_LOAD"] == "1"

    private let app: RunningWebApp
    private let process: ProcessUnderTest
    private let answers: URL
    private let passwords = DevicePasswords()

    init(_ walk: String, in app: RunningWebApp) throws {
        self.app = app
        answers = URL(filePath: app.system.path("answers-\(walk)"))
        try FileManager.default.createDirectory(at: answers, withIntermediateDirectories: true)
        process = try Self.start(walk, at: app.origin, home: app.system.path("home"), answers: answers)
    }

    private static func start(
        _ walk: String, at origin: String, home: String, answers: URL? = nil
    ) throws -> ProcessUnderTest {
        var environment = ["LC_ALL": "C.UTF-8", "HOME": home, "PYTHONDONTWRITEBYTECODE": "1"]
        environment["AQUA_ANSWERS"] = answers?.path(percentEncoded: false)
        for name in ["AQUA_SHOTS", "AQUA_CHROMIUM"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        let program = Paths.repository.appending(path: "Tests/Web/browser").path(percentEncoded: false)
        return try .start(Paths.python, [program, walk, origin], environment: environment)
    }

    /// Runs a walk that plays the service itself, and so asks for nothing.
    static func alone(_ walk: String) async throws -> Outcome {
        try await Paths.withTemporaryDirectory { directory in
            let home = directory.path(percentEncoded: false)
            return await outcome(of: try start(walk, at: "http://127.0.0.1:1", home: home))
        }
    }

    /// Answers requests until the walk ends.
    func run() async throws -> Outcome {
        do {
            for await line in process.output.stream() where line.hasPrefix("ask ") {
                let parts = line.split(separator: " ", maxSplits: 2)
                let request = try JSONDecoder().decode([String].self, from: Data(parts[2].utf8))
                let answer = try await answer(request)
                try answer.write(to: answers.appending(path: "\(parts[1])"), atomically: true, encoding: .utf8)
            }
        } catch {
            await process.stop()
            throw error
        }
        return await Self.outcome(of: process)
    }

    private static func outcome(of process: ProcessUnderTest) async -> Outcome {
        let end = await process.end
        let said = process.output.all.joined(separator: "\n")
        if measures { print(said) }
        return Outcome(end: end, output: "\(said)\n\(process.errors.tail(80))")
    }

    private func answer(_ request: [String]) async throws -> String {
        let arguments = request.dropFirst()
        switch (request.first, arguments.count) {
        case ("device", 1): return try await addDevice(request[1])
        case ("publish", 2...): return try await publish(request[1], Array(request[2...]))
        case ("report", 2): return try await publish([request[2]], of: request[1], on: "tele/SENSOR")
        case ("endpoint", 1):
            // An address of this person alone.
            let address = app.system.sink.url(path: "/of/\(request[1])")
            return try await app.system.tool(["endpoint", "add", request[1], "--webhook", address])
        case ("webhook", 1): return app.system.sink.url(path: request[1])
        case ("challenged", 0):
            app.system.sink.answer([.challenge], then: .status(200))
            return ""
        case ("received", 1): return try received(request[1])
        case ("mail", 2):
            let number = Int(request[2]) ?? 1
            return try await app.mail.mails(number, to: request[1])[number - 1].text
        case ("enroller", 0):
            try await app.system.startEnroller()
            return ""
        case ("map", 0):
            let served = try await app.serveMap()
            return "\(served.origin) \(served.tiles)"
        case ("atlas", 1): return try await app.serveAtlas(request[1])
        case ("look", 0): return try await app.serveLook()
        case ("release", 3):
            try await app.release(request[1], replacing: request[2], by: request[3])
            return ""
        default: throw TestSupportError("The walk asks for what nobody knows: \(request)")
        }
    }

    /// - Returns: The code with which a person links the device.
    private func addDevice(_ device: String) async throws -> String {
        let added = try await app.system.tool(["device", "add", device, "--json"])
        passwords.keep(try app.system.field("mqttPassword", of: added), of: device)
        return try app.system.field("claimCode", of: added)
    }

    /// - Parameter readings: For each message its age in seconds, and its fields except for the time.
    private func publish(_ device: String, _ readings: [String]) async throws -> String {
        let now = Date().timeIntervalSince1970
        let messages = readings.map { reading in
            let age = reading.prefix { $0 != " " }
            let values = reading.dropFirst(age.count + 1)
            return #"{"time":\#(now - (Double(age) ?? 0)),\#(values)}"#
        }
        return try await publish(messages, of: device, on: "readings")
    }

    private func publish(_ messages: [String], of device: String, on subject: String) async throws -> String {
        try await app.system.cluster.broker.publish(
            messages, as: device, password: passwords[device], to: "aqua/v1/\(device)/\(subject)")
        return ""
    }

    /// - Returns: A JSON array of the bodies received at a path.
    private func received(_ path: String) throws -> String {
        let bodies = app.system.sink.received.filter { $0.path == path }.map {
            String(decoding: $0.body, as: UTF8.self)
        }
        return String(decoding: try JSONEncoder().encode(bodies), as: UTF8.self)
    }
}

/// The MQTT passwords of a walk's devices.
private final class DevicePasswords: Sendable {
    private let passwords = Mutex<[String: String]>([:])

    subscript(device: String) -> String { passwords.withLock { $0[device] ?? "" } }

    func keep(_ password: String, of device: String) { passwords.withLock { $0[device] = password } }
}
