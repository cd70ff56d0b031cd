import Instants
import Store
import TestSupport
import WaterQuality

@testable import Ingestor

/// The stored samples, kept and summed up in the most naive way.
struct StoredWater: Sendable {
    /// The sum of one device and parameter.
    struct Sum: Equatable, Sendable, CustomStringConvertible {
        var minimum = Float.infinity
        var maximum = -Float.infinity
        var total = 0.0
        var count: Int64 = 0

        mutating func add(_ value: Float) {
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            total += Double(value)
            count += 1
        }

        var description: String { "\(minimum)...\(maximum) \(total) of \(count)" }
    }

    struct Key: Hashable, Sendable {
        var device: DeviceKey
        var start: Timestamp
        var parameter: Parameter
    }

    private var samples: [Sample.Key: Readings] = [:]

    /// Adds samples as a device's moment is completed: stored values stay, and a later part is computed with them.
    mutating func add(_ batch: [Sample]) {
        for sample in batch {
            var readings = sample.readings
            if let stored = samples[sample.key] { readings.derive(with: stored) }
            _ = samples[sample.key, default: Readings()].fill(from: readings)
        }
    }

    /// The sums by hours or days before each slot's end.
    func sums(by unit: Duration, before end: (Slot) -> Timestamp) -> [Key: Sum] {
        var sums: [Key: Sum] = [:]
        for (key, readings) in samples {
            let start = key.eventTime.roundedDown(to: unit)
            guard start + unit <= end(key.slot) else { continue }
            readings.forEachPresent { parameter, value in
                let device = DeviceKey(slot: key.slot, device: key.device)
                sums[Key(device: device, start: start, parameter: parameter), default: Sum()].add(value)
            }
        }
        return sums
    }

    /// The points that a history should have.
    func points(
        of parameter: Parameter, _ device: DeviceKey, within periods: [Range<Timestamp>],
        _ resolution: HistoryResolution
    ) -> [(time: Timestamp, sum: Sum)] {
        var sums: [Timestamp: Sum] = [:]
        for (key, readings) in samples where key.slot == device.slot && key.device == device.device {
            guard let value = readings[parameter], periods.contains(where: { $0.contains(key.eventTime) }) else {
                continue
            }
            let start =
                switch resolution {
                case .message: key.eventTime
                case .hour: key.eventTime.roundedDown(to: .seconds(3_600))
                case .day: key.eventTime.roundedDown(to: .seconds(86_400))
                }
            sums[start, default: Sum()].add(value)
        }
        return sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
