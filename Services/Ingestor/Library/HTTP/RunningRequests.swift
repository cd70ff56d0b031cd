import Synchronization
import WaterQuality

/// Counts running requests, in all and per device, so that no device takes the places of others.
final class RunningRequests: Sendable {
    enum Refusal: Error, Equatable { case tooManyOfDevice, tooMany }

    private let state = Mutex<(total: Int, ofDevice: [Device.HardwareID: Int])>((0, [:]))
    private let most: Int
    private let mostOfDevice: Int

    init(most: Int, mostOfDevice: Int) {
        self.most = most
        self.mostOfDevice = mostOfDevice
    }

    var count: Int { state.withLock(\.total) }

    /// Runs `body` as a running request of the device.
    /// - Throws: `Refusal`, or what `body` throws.
    func with<Result>(_ device: Device.HardwareID, _ body: () async throws -> Result) async throws -> Result {
        try enter(device)
        defer { leave(device) }
        return try await body()
    }

    private func enter(_ device: Device.HardwareID) throws(Refusal) {
        let refusal: Refusal? = state.withLock { state in
            guard state.ofDevice[device, default: 0] < mostOfDevice else { return .tooManyOfDevice }
            guard state.total < most else { return .tooMany }
            state.total += 1
            state.ofDevice[device, default: 0] += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    private func leave(_ device: Device.HardwareID) {
        state.withLock { state in
            state.total -= 1
            let count = state.ofDevice[device, default: 0]
            state.ofDevice[device] = count > 1 ? count - 1 : nil
        }
    }
}
