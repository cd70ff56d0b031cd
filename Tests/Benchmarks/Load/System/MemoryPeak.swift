import Synchronization

/// The most private memory that two programs have had while something went on, looked at four times a second.
final class MemoryPeak: Sendable {
    private let gateway: Int32
    private let postgres: Int32
    private let most = Mutex((gateway: 0.0, backend: 0.0))

    /// - Parameters:
    ///   - gateway: The Gateway's process.
    ///   - postgres: PostgreSQL's first process.
    init(gateway: Int32, postgres: Int32) { (self.gateway, self.postgres) = (gateway, postgres) }

    /// In MiB.
    var gatewayMiB: Double { most.withLock { $0.gateway.rounded() } }
    /// Of the largest of PostgreSQL's processes, without shared buffers, in MiB.
    var backendMiB: Double { most.withLock { $0.backend.rounded() } }

    func watch<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    self.look()
                    try await Task.sleep(for: .milliseconds(250))
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    private func look() {
        let (gateway, backend) = (
            ProcessUsage.largestPrivateMiB(in: self.gateway), ProcessUsage.largestPrivateMiB(in: self.postgres)
        )
        most.withLock { $0 = (max($0.gateway, gateway), max($0.backend, backend)) }
    }
}
