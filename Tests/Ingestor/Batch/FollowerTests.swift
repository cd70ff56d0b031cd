import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// An Ingestor's notifications to Gateways: none, unless somebody follows the device.
@Suite(.timeLimit(.minutes(5))) struct FollowerTests {
    @Test func onlyFollowedDevicesAreNamed() async throws {
        try await StoreFixture.with(devices: ["tank-1", "tank-2", "tank-3"]) { store in
            let gateway = try await PostgresConnection.connect(StoreFixture.configuration(store.database, .gateway))
            let listener = PostgresListener(
                try StoreFixture.configuration(store.database, .gateway), channels: [Channel.reading])
            try await store.withWriter { writer in
                try await listener.withEvents { events in
                    var iterator = events.makeAsyncIterator()
                    #expect(await iterator.next() == .mayHaveMissed)
                    func sample(_ device: Int, _ second: Double, flags: Sample.Flags = []) -> Sample {
                        BatchTransactionTests.sample(store.devices[device], at: second, flags: flags)
                    }
                    // Nobody follows: no notification.
                    _ = try await writer.write(BatchTransactionTests.work([sample(0, 1)]), carefully: false)
                    let slots = SlotSet([store.devices[0].slot])
                    try await gateway.perform(FollowSlots(1, slots, lasting: .seconds(60)))
                    // No notification of messages that are not evaluated, or of a slot without followers.
                    _ = try await writer.write(
                        BatchTransactionTests.work([sample(0, 2, flags: .notEvaluated), sample(1, 2)]), carefully: false
                    )
                    _ = try await writer.write(
                        BatchTransactionTests.work([sample(0, 3), sample(0, 4), sample(1, 3)]), carefully: false)
                    let number = "\(store.devices[0].device.rawValue)"
                    #expect(await iterator.next() == .notified(channel: Channel.reading, payload: number))
                    // The careful path, and a status alone.
                    _ = try await writer.write(BatchTransactionTests.work([sample(0, 5)]), carefully: true)
                    #expect(await iterator.next() == .notified(channel: Channel.reading, payload: number))
                    let status = RecordStatuses.Status(
                        slot: store.devices[0].slot, device: store.devices[0].device, online: true, at: .now)
                    _ = try await writer.write(
                        BatchTransactionTests.work([], statuses: [status]), carefully: false)
                    #expect(await iterator.next() == .notified(channel: Channel.reading, payload: number))
                }
            }
            await gateway.close()
        }
    }
}
