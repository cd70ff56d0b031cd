import Ingestor
import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import WaterQuality

/// Messages of a period that has just ended, stored as an Ingestor does while no engine works.
struct WaitingMessages: Sendable {
    let count: Int
    let devices: Int
    let span: Duration
    let seed: UInt64

    /// The number of messages in one commit.
    private static let commit = 512
    private static let delay = Duration.milliseconds(80)

    /// - Returns: The number of batches.
    func store(in database: TestDatabase) async throws -> Int {
        let keys = try (0..<devices).map { number in
            guard let name = Device.HardwareID(Fleet.hardwareID(number)) else {
                throw TestSupportError("\(Fleet.hardwareID(number)) is no device id")
            }
            return DeviceKey(slot: Slot(of: name), device: Device.ID(rawValue: Int32(number + 1)))
        }
        let connection = try await database.connect(.ingestor)
        let end = WallClock.system.now() - .seconds(1)
        var generator = SeededGenerator(seed: seed)
        var batches = 0
        for first in stride(from: 0, to: count, by: Self.commit) {
            let samples = (first..<min(first + Self.commit, count)).map { number in
                let time = end - span * (count - number) / count
                return sample(of: keys[number % devices], at: time, &generator)
            }
            let added = Self.batches(of: samples)
            batches += added.count
            try await connection.transaction { transaction in
                var rows = CopyBuffer(capacity: samples.count * 150)
                for sample in samples { CopySamples.append(sample, to: &rows) }
                try transaction.copy(into: CopySamples.self, rows: rows)
                _ = try transaction.execute(AddEvaluationBatches(added))
            }
        }
        await connection.close()
        try await database.sql("CHECKPOINT")
        return batches
    }

    /// One message in a hundred is too warm.
    private func sample(of key: DeviceKey, at time: Timestamp, _ generator: inout SeededGenerator) -> Sample {
        let isTooWarm = generator.next() % 100 == 0
        var readings = Readings()
        for parameter in Parameter.ofManual {
            let low = parameter.defaults.minimum?.count ?? parameter.absoluteRange.lowerBound.count
            let high = parameter.defaults.maximum?.count ?? parameter.absoluteRange.upperBound.count
            let steps =
                isTooWarm && parameter == .temperature ? high + 10 : Int32.random(in: low...high, using: &generator)
            readings[parameter] = parameter.value(of: Steps(steps))
        }
        return Sample(
            slot: key.slot, device: key.device, at: EventTime(device: time, receipt: time + Self.delay),
            receivedAt: time + Self.delay, readings: readings)
    }

    private static func batches(of samples: [Sample]) -> [AddEvaluationBatches.Batch] {
        var batches: [Slot: AddEvaluationBatches.Batch] = [:]
        for sample in samples {
            batches[
                sample.slot, default: AddEvaluationBatches.Batch(slot: sample.slot, receivedAt: sample.receivedAt)
            ].messages.append(device: sample.device, time: sample.eventTime, readings: sample.readings)
        }
        return batches.values.sorted { $0.slot < $1.slot }
    }
}
