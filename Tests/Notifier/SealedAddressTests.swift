import TestSupport
import Testing

/// The address of an endpoint is sealed with its secret; the previous version stored it in clear beside the seal.
@Suite struct SealedAddressTests {
    @Test(arguments: [true, false]) func `an alert goes to the address, sealed or in clear`(isSealed: Bool) async throws
    {
        try await Scene.with { scene in
            try await scene.endpoint(1, isSealed: isSealed)
            #expect(try await scene.ask("SELECT target LIKE '%/1' FROM endpoint") == (isSealed ? "f" : "t"))
            let requests = try await scene.notifying {
                try await scene.alarms()
                return try await scene.sink.requests(1)
            }
            #expect(requests.map(\.path) == ["/1"])
        }
    }

    @Test func `a seal is of its endpoint alone`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            _ = try await scene.ask(
                "UPDATE endpoint SET sealed_secret = (SELECT sealed_secret FROM endpoint WHERE endpoint_id = 1)")
            let requests = try await scene.notifying {
                try await scene.alarms()
                let requests = try await scene.sink.requests(1)
                try await scene.await("refused", "SELECT DISTINCT outcome FROM delivery_attempt WHERE endpoint_id = 2")
                return requests
            }
            #expect(requests.map(\.path) == ["/1"])
        }
    }
}
