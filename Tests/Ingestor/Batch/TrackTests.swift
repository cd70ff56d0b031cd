import Instants
import MQTT
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Positions from a message to the table: of devices whose owners say that they move, and of nobody else.
@Suite struct TrackTests {
    private func batch(
        at now: Timestamp = .noon, _ messages: [MQTTMessage], _ registry: inout DeviceRegistry
    ) -> IngestBatch {
        var batch = IngestBatch(receivedAt: now)
        for message in messages { batch.add(message, &registry) }
        batch.close()
        return batch
    }

    /// A message so many seconds after noon, so many steps of 0.001 degrees north.
    private func at(_ seconds: Int, _ steps: Int, more: String = #""ph":7.9"#) -> MQTTMessage {
        let time = (Timestamp.noon + .seconds(seconds)).iso8601
        let latitude = 48 + Double(steps) / 1_000
        return .of(#"{"time":"\#(time)",\#(more),"position":{"latitude":\#(latitude),"longitude":16}}"#)
    }

    @Test func ofADeviceThatDoesNotMoveNothingIsKept() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        let batch = batch(at: .noon + .seconds(60), [at(0, 0), at(30, 5)], &registry)
        #expect(batch.track.isEmpty && batch.samples.count == 2 && batch.rejects.isEmpty)
    }

    @Test func whereADeviceWasIsKeptAsItMoves() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"], moving: true)
        let messages = [at(0, 0), at(30, 0), at(60, 1), at(60, 9, more: #""temperature":20"#)]
        let batch = batch(at: .noon + .seconds(60), messages, &registry)
        let kept = batch.track.sorted { $0.key.eventTime < $1.key.eventTime }
        #expect(kept.map(\.key.eventTime) == [.noon, .noon + .seconds(60)])
        #expect(kept.map(\.value.latitude) == [4_800_000, 4_800_100], "of one moment the first")
        #expect(batch.samples.count == 3)
    }

    @Test func aMessageWithoutReadingsKeepsNoPosition() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1"], moving: true)
        let batch = batch([.of(#"{"position":{"latitude":48,"longitude":16}}"#)], &registry)
        #expect(batch.track.isEmpty && batch.rejectCounts == [.malformed: 1])
        #expect(batch.rejects.allSatisfy { $0.payload.isEmpty }, "where it was stands beside no reject")
    }

    /// A device that sends positions is looked up again every twenty seconds, and one that sends none is not.
    @Test func whetherADeviceMovesIsLookedUpWhileItSendsPositions() throws {
        var registry = try DeviceRegistry(knowing: ["tank-1", "tank-2"])
        _ = batch(at: .noon + .seconds(19), [at(19, 0), .of("tank-2", #"{"ph":7.9}"#)], &registry)
        #expect(registry.namesToFind(among: ["tank-1", "tank-2"]).isEmpty)
        _ = batch(at: .noon + .seconds(20), [at(20, 0), .of("tank-2", #"{"ph":7.8}"#)], &registry)
        #expect(registry.namesToFind(among: ["tank-1", "tank-2"]) == ["tank-1"])
        let id = try #require(Device.HardwareID("tank-1"))
        func know(moves: Bool, _ seconds: Int) {
            let row = FindDevices.Row(
                hardwareID: "tank-1", slot: Slot(of: id), device: Device.ID(rawValue: 1), moves: moves)
            registry.record(found: [row], now: .noon + .seconds(seconds))
        }
        know(moves: true, 20)
        #expect(registry.namesToFind(among: ["tank-1"]).isEmpty)
        #expect(batch(at: .noon + .seconds(30), [at(30, 0)], &registry).track.count == 1)
        know(moves: false, 60)
        #expect(batch(at: .noon + .seconds(60), [at(60, 9)], &registry).track.isEmpty)
        know(moves: true, 90)
        #expect(batch(at: .noon + .seconds(90), [at(90, 9)], &registry).track.count == 1, "it begins anew")
    }

    // MARK: The table

    private func sample(_ device: DeviceKey, _ seconds: Int, at now: Timestamp) -> Sample {
        Sample(
            slot: device.slot, device: device.device, at: EventTime(device: now + .seconds(seconds), receipt: now),
            receivedAt: now, readings: Readings([.ph: 7]))
    }

    private static let place = Position(storedLatitude: 4_800_000, longitude: 1_600_000, accuracy: 5)

    /// Whatever an Ingestor knew: somebody may just have switched it off, or given the device away.
    @Test(arguments: [false, true]) func theTableTakesOnlyWhatAnOwnerWants(carefully: Bool) async throws {
        try await StoreFixture.with(devices: ["boat-1", "boat-2", "boat-3"]) { store in
            try await store.database.sql(
                """
                INSERT INTO account (email) VALUES ('ann@example.org'), ('ben@example.org');
                INSERT INTO ownership (slot, device_id, account_id, name, moves)
                SELECT d.slot, d.device_id, a.account_id, 'Boat', d.hardware_id <> 'boat-2' FROM device d, account a WHERE a.email LIKE 'ann%';
                UPDATE ownership o SET readings_from = now() - interval '30 seconds' FROM device d
                WHERE d.device_id = o.device_id AND d.hardware_id = 'boat-3'
                """)
            let now = Timestamp.now
            let samples = store.devices.flatMap { [sample($0, -60, at: now), sample($0, 0, at: now)] }
            let track = Dictionary(uniqueKeysWithValues: samples.map { ($0.key, Self.place) })
            let work = BatchTransaction(samples: samples, statuses: [], rejects: [], track: track)
            try await store.withWriter { writer in
                _ = try await writer.write(work, carefully: carefully)
                _ = try await writer.write(work, carefully: true)
            }
            let kept = try await store.database.sql(
                """
                SELECT string_agg(d.hardware_id || ' ' || t.latitude || ' ' || t.accuracy, ',' ORDER BY d.hardware_id, t.at)
                FROM track t JOIN device d USING (device_id)
                """)
            #expect(kept == "boat-1 4800000 5,boat-1 4800000 5,boat-3 4800000 5")
        }
    }

    /// A reading that was deleted stays so, and its position does.
    @Test func whatIsSentAgainBringsNoPositionBack() async throws {
        try await StoreFixture.with(devices: ["boat-1"]) { store in
            try await store.database.sql(
                """
                INSERT INTO account (email) VALUES ('ann@example.org');
                INSERT INTO ownership (slot, device_id, account_id, name, moves)
                SELECT d.slot, d.device_id, a.account_id, 'Boat', true FROM device d, account a
                """)
            let sample = sample(store.devices[0], -60, at: .now)
            let work = BatchTransaction(
                samples: [sample], statuses: [], rejects: [], track: [sample.key: Self.place])
            try await store.withWriter { writer in
                _ = try await writer.write(work, carefully: false)
                #expect(try await store.database.sql("SELECT count(*) FROM track") == "1")
                try await store.database.sql(
                    "DELETE FROM track; UPDATE sample SET ph = NULL, deleted = \(1 << Parameter.ph.rawValue)")
                _ = try await writer.write(work, carefully: true)
                _ = try await writer.write(work, carefully: false)
            }
            #expect(try await store.database.sql("SELECT count(*) FROM track") == "0")
        }
    }
}
