import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Clients of others read the service as it is over HTTP: what is claimed of the standard is what they prove.
@Suite(.timeLimit(.minutes(10))) struct SensorThingsClientTests {
    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python with the clients"),
        arguments: ["frost", "staplus"])
    func aClientOfTheStandardReadsIt(_ client: String) async throws {
        try await SensorThingsScene.with { scene in
            let script = Paths.repository.appending(path: "Tests/Gateway/SensorThings/clients.py").path(
                percentEncoded: false)
            let lines = try await ProcessUnderTest.run(
                Paths.python, [script, client, scene.gateway.url, "https://water.example", scene.token]
            ).split(separator: "\n").map(String.init)
            #expect(
                lines == [
                    "Koi tank-1", "A device that measures water", "[8.25, 47.5]",
                    "Koi: Nitrate ucum:mg/L Nitrate Koi: by hand", "Koi: pH ucum:[pH] pH Koi: probes",
                    "Koi: Temperature ucum:Cel Temperature Koi: probes",
                    "[20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0]", "[22.0, 21.0]", "22.0 True",
                ])
        }
    }
}
