import Backoff
import ServiceKit
import WaterQuality

extension Lane {
    /// Stores what requests hand over and answers them after the commit, until the intake is stopped. Whatever comes
    /// during a commit is collected for the next.
    /// - Throws: The error of a batch; its requests and those that wait are told.
    func serve(_ intake: Intake) async throws {
        let devices = SharedDeviceRegistry()
        var told = IngestorMetrics.DeviceCounts()
        defer { metrics.record(DeviceRegistry(), inPlaceOf: &told) }
        var wakeUps = intake.wakeUps.makeAsyncIterator()
        repeat {
            while case let deliveries = intake.take(), !deliveries.isEmpty { try await store(deliveries, devices) }
            keep(devices, &told)
        } while await wakeUps.next() != nil
    }

    private func store(_ deliveries: [Intake.Delivery], _ devices: SharedDeviceRegistry) async throws {
        do {
            let stored = try await store(deliveries.flatMap(\.messages), devices)
            var answers = stored.answers[...]
            for delivery in deliveries {
                let own = answers.prefix(delivery.messages.count).map { $0?.status(after: stored.outcome) }
                answers.removeFirst(delivery.messages.count)
                delivery.end(.success(own))
            }
            await writer.note(stored.batch.probeReports)
        } catch {
            for delivery in deliveries { delivery.end(.failure(error)) }
            throw error
        }
    }
}
