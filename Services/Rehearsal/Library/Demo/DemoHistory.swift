import Instants
import Operator
import Postgres
import ServiceKit
import Store
import WaterQuality

/// Stored readings of the demonstration's device.
extension OperatorContext {
    /// The end of the recorded water; nil where the device has measured within the days that it covers.
    func endOfRecordedWater(of device: Device.HardwareID) async throws -> Timestamp? {
        let now = clock.now()
        let newest = try await withDatabase { connection -> Timestamp? in
            guard let key = try await connection.execute(FindDevice(device)).first?.key else { return nil }
            return try await connection.newestReading(of: key, before: now)
        }
        if let newest, newest > now - RecordedWater.length { return nil }
        return now - RecordedWater.lead
    }

    /// Waits until a reading is stored, and everything up to it is decided.
    func awaitDecided(_ device: Device.HardwareID, upTo time: Timestamp) async throws {
        let isDecided: Bool? = try await within(patience) {
            try await self.withDatabase { connection in
                guard let key = try await connection.execute(FindDevice(device)).first?.key else { return false }
                while true {
                    let newest = try await connection.newestReading(of: key, before: self.clock.now())
                    if let newest, newest >= time, try await connection.execute(FindOldestBatches([key.slot])).isEmpty {
                        return true
                    }
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        }
        guard isDecided == true else {
            throw OperatorError(
                .unanswered, "The recorded water was not stored and decided within \(patience). Run: aqua doctor")
        }
    }
}

extension PostgresConnection {
    fileprivate func newestReading(of device: DeviceKey, before: Timestamp) async throws -> Timestamp? {
        try await execute(FindNewestEvaluated([(device, before + EventTime.furthestAhead)])).first?.newest
    }
}
