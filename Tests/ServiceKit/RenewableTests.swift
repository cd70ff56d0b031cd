import Foundation
import ServiceKit
import Testing

@Suite struct RenewableTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func aSecretIsReadAnewAndStaysWhileItsFileCannotBeUsed() throws {
        let path = try directory.file("password", "the first of them")
        let secret = try Configuration.read(from: ["AQUA_MQTT_PASSWORD_FILE": path]) {
            $0.renewableSecret(.mqttPasswordFile, minimumLength: 12)
        }
        #expect(secret.current.revealed == "the first of them")
        _ = try directory.file("password", "the second of them\n")
        #expect(secret.current.revealed == "the first of them")
        #expect(secret.renewed().revealed == "the second of them")
        // The file is half-written, or being replaced.
        for content in ["", "the th", "two\nlines of text"] {
            _ = try directory.file("password", content)
            #expect(secret.renewed().revealed == "the second of them")
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(secret.renewed().revealed == "the second of them")
        _ = try directory.file("password", "the third of them")
        #expect(secret.renewed().revealed == "the third of them")
    }

    @Test func aFileHoldsSeveralKeys() throws {
        func keys(_ content: String) throws -> [String]? {
            let path = try directory.file("keys", content)
            return try Configuration.read(from: ["AQUA_SECRET_KEY_FILE": path]) {
                $0.renewableSecrets(.secretKeyFile, minimumLength: 4, remedy: "mend it") { $0 }?.current
            }
        }
        #expect(try keys("new-key\nold-key\r\n") == ["new-key", "old-key"])
        #expect(try keys("the-only-one") == ["the-only-one"])
        for (content, problem) in [
            ("", "is empty"), ("one-key\n\nanother", "is empty"), ("one-key\nkey", "weak secret of 3 bytes"),
            (String(repeating: "a-key\n", count: 9), "more than 8 lines"),
        ] {
            let error = #expect(throws: ConfigurationFaults.self) { try keys(content) }
            #expect(error?.description.contains(problem) == true, "\(content)")
        }
    }
}
