import Foundation
import TestSupport

/// The system whose web app a walk visits. The app's files are a copy, so that the walk can release a new version.
struct RunningWebApp: Sendable {
    let system: TestSystem
    let origin: String
    let files: URL
    let mail: TestMailServer

    /// - Parameter calm: The time that water has to stay well before the all-clear.
    static func with<Result: Sendable>(
        calm: String = "1h", _ body: @Sendable @escaping (RunningWebApp) async throws -> Result
    ) async throws -> Result {
        try await Paths.withTemporaryDirectory { directory in
            let files = directory.appending(path: "Web")
            try FileManager.default.copyItem(
                at: Paths.repository.appending(path: "Services/Gateway/Web"), to: files)
            let address = "127.0.0.1:\(Ports.free())"
            return try await TestMailServer.with { mail in
                let sending = [
                    "AQUA_SMTP_URL": "smtp+plain://127.0.0.1:\(mail.port)", "AQUA_MAIL_FROM": "alerts@example.org",
                ]
                let settings = [
                    "aqua-gateway": [
                        "AQUA_WEB_DIRECTORY": files.path(percentEncoded: false), "AQUA_SIGN_UP": "open",
                        "AQUA_PEOPLE_LISTEN": address, "AQUA_PUBLIC_URL": "http://\(address)",
                    ].merging(sending) { $1 },
                    "aqua-notifier": ["AQUA_PUBLIC_URL": "http://\(address)"].merging(sending) { $1 },
                    "aqua-rules": ["AQUA_RECOVERY_DELAY": calm],
                ]
                return try await TestSystem.with(settings: settings) { system in
                    try system.startServices()
                    try system.start("aqua-gateway")
                    for program in TestSystem.services { try await system.process(program).untilReady() }
                    let origin = try await system.process("aqua-gateway").servesPeople()
                    return try await body(RunningWebApp(system: system, origin: origin, files: files, mail: mail))
                }
            }
        }
    }

    /// Releases a version of the app in which a text of a file is replaced: the Gateway, which reads the files at its
    /// start, is restarted at the same address.
    func release(_ path: String, replacing former: String, by text: String) async throws {
        let file = files.appending(path: path)
        let before = try String(contentsOf: file, encoding: .utf8)
        let after = before.replacing(former, with: text)
        guard before != after else { throw TestSupportError("\(path) has no \(former)") }
        try after.write(to: file, atomically: true, encoding: .utf8)
        await system.stop("aqua-gateway")
        try system.start("aqua-gateway")
        _ = try await system.process("aqua-gateway").servesPeople()
    }

    /// Starts another Gateway whose app has a map.
    /// - Returns: Its address for people, and the address of the map's tiles, which nobody serves yet.
    func serveMap() async throws -> (origin: String, tiles: String) {
        let (name, address) = ("aqua-gateway-with-map", "127.0.0.1:\(Ports.free())")
        let tiles = "https://localhost:\(Ports.free())"
        let settings = [
            "AQUA_PEOPLE_LISTEN": address, "AQUA_PUBLIC_URL": "http://\(address)",
            "AQUA_MAP_TILES": "\(tiles)/v1/{z}/{x}/{y}.png?key=a1",
            "AQUA_MAP_ATTRIBUTION": "© Map contributors <https://map.example/copyright>",
        ]
        try system.start("aqua-gateway", as: name, changes: settings)
        return (try await system.process(name).servesPeople(), tiles)
    }

    /// Starts another Gateway, whose map is a file of its own.
    /// - Returns: Its address for people.
    func serveAtlas(_ file: String) async throws -> String {
        let (name, address) = ("aqua-gateway-with-atlas", "127.0.0.1:\(Ports.free())")
        let settings = [
            "AQUA_PEOPLE_LISTEN": address, "AQUA_PUBLIC_URL": "http://\(address)", "AQUA_MAP_FILE": file,
        ]
        try system.start("aqua-gateway", as: name, changes: settings)
        return try await system.process(name).servesPeople()
    }

    /// Starts another Gateway, with a name, an accent and a logo of its own.
    /// - Returns: Its address for people.
    func serveLook() async throws -> String {
        let (name, address) = ("aqua-gateway-with-look", "127.0.0.1:\(Ports.free())")
        let logo = files.deletingLastPathComponent().appending(path: "logo.svg")
        let circle = #"<circle cx="32" cy="32" r="30" fill="crimson"/>"#
        let shapes = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">\#(circle)</svg>"#
        try shapes.write(to: logo, atomically: true, encoding: .utf8)
        let settings = [
            "AQUA_PEOPLE_LISTEN": address, "AQUA_PUBLIC_URL": "http://\(address)", "AQUA_BRAND_NAME": "Koi & Club",
            "AQUA_BRAND_COLOUR": "#7b1fa2", "AQUA_BRAND_LOGO_FILE": logo.path(percentEncoded: false),
        ]
        try system.start("aqua-gateway", as: name, changes: settings)
        return try await system.process(name).servesPeople()
    }

    /// Checked once, by the first walk.
    static let hasBrowser = Task {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium") else { return false }
        let check = try ProcessUnderTest.start(Paths.python, ["-c", "import playwright, axe_playwright_python"])
        return await check.end == .exit(0)
    }
}
