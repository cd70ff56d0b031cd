import Synchronization
import TestSupport

/// The rate of the receiver alone: the same requests over HTTP/2 from the same client library, without their
/// preparation and recording.
struct SinkFloor: Sendable {
    let hosts: Int

    private static let requests = 20_000
    private static let atOnce = 32

    func requestsPerSecond() async throws -> Double {
        step("Measuring what the receiver alone takes")
        let arrived = Atomic(0)
        return try await PushSink.with(hosts: hosts) { _ in
            arrived.add(1, ordering: .relaxed)
        } body: { sink in
            let took = try await Poster.with(authorityFile: sink.authorityFile) { poster in
                try await ContinuousClock().measure { try await send(poster, sink) }
            }
            guard arrived.load(ordering: .relaxed) == Self.requests else {
                throw TestSupportError("The receiver took \(arrived.load(ordering: .relaxed)) requests only")
            }
            return Double(Self.requests) / (took / .seconds(1))
        }
    }

    private func send(_ poster: Poster, _ sink: PushSink) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<Self.atOnce {
                group.addTask {
                    for number in stride(from: worker, to: Self.requests, by: Self.atOnce) {
                        try await poster.post(to: sink.url(of: number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
