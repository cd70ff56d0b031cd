import Instants
import MQTT
import Store
import Testing
import WaterQuality

@testable import Ingestor

/// Observations of SensorThings, as devices publish them to a Datastream of their own.
@Suite struct ObservationTests {
    private func read(_ text: String, of parameter: Parameter = .ph) throws -> ReadingsPayload {
        let message = try FirmwareMessage(Array(text.utf8), on: .observation(parameter))
        return try #require(message.moments.first)
    }

    @Test(arguments: [
        (#"{"result":7.9}"#, StatedTime.receipt), (#"{"result":"7.9"}"#, .receipt),
        (#"{"result":7.9,"phenomenonTime":"2026-05-01T12:00:00Z"}"#, .at(.noon)),
        (#"{"phenomenonTime":"2026-05-01T14:00:00.000+02:00","result":7.9,"parameters":{}}"#, .at(.noon)),
        (#"{"result":7.9,"resultTime":"2026-05-01T12:00:00Z"}"#, .at(.noon)),
        (#"{"result":7.9,"resultTime":null,"phenomenonTime":null}"#, .receipt),
        (#"{"result":7.9,"phenomenonTime":null,"resultTime":"2026-05-01T12:00:00Z"}"#, .at(.noon)),
        // The time of the water comes before that of the result, in whatever order they stand.
        (#"{"resultTime":"2026-05-01T13:00:00Z","phenomenonTime":"2026-05-01T12:00:00Z","result":7.9}"#, .at(.noon)),
        (#"{"phenomenonTime":"2026-05-01T12:00:00Z","resultTime":"2026-05-01T13:00:00Z","result":7.9}"#, .at(.noon)),
        (#"{"phenomenonTime":"2026-05-01T11:55:00Z/2026-05-01T12:00:00Z","result":7.9}"#, .at(.noon)),
        (
            #"{"result":7.9,"resultQuality":[{"nameOfMeasure":"flag","result":"suspect"}],"Datastream":{"@iot.id":"tank-2:temperature"},"FeatureOfInterest":{"@iot.id":1}}"#,
            .receipt
        ),
    ]) func anObservationIsAReading(_ text: String, _ time: StatedTime) throws {
        let payload = try read(text)
        #expect(payload.readings == Readings([.ph: 7.9]))
        #expect(payload.time == time)
        #expect(payload.faults.isEmpty)
    }

    @Test(arguments: [
        (#"{"result":"high"}"#, RejectReason.wrongType), (#"{"result":true}"#, .wrongType),
        (#"{"result":[7.9]}"#, .wrongType),
        (#"{"result":nan}"#, .probeFault), (#"{"result":-127}"#, .probeFault), (#"{"result":85}"#, .probeFault),
    ]) func aResultThatIsNoneIsTold(_ text: String, _ reason: RejectReason) throws {
        let payload = try read(text, of: .temperature)
        #expect(payload.readings.isEmpty && payload.reasons == [reason])
    }

    @Test(arguments: [
        #"{"result":7.9,"phenomenonTime":"yesterday"}"#, #"{"result":7.9,"phenomenonTime":"2026-05-01T12:00:00"}"#,
        #"{"result":7.9,"phenomenonTime":"2026-05-01T12:00:00Z/.."}"#, #"{"result":7.9,"phenomenonTime":{}}"#,
    ]) func aTimeThatIsNoneIsToldAndTheValueCounts(_ text: String) throws {
        let payload = try read(text)
        #expect(payload.readings == Readings([.ph: 7.9]) && payload.reasons == [.badTime])
    }

    @Test(arguments: ["", "7.9", "[]", #"[{"result":7.9}]"#, #"{"result":7.9"#, #"{"result":7.9} x"#, #"{"result":}"#])
    func anythingElseIsRefused(_ text: String) {
        #expect(throws: RejectReason.malformed) { try read(text) }
    }

    // MARK: In a batch

    private static func message(_ payload: String, _ stream: String = "tank-1:ph") -> MQTTMessage {
        MQTTMessage(topic: "v1.1/Datastreams('\(stream)')/Observations", payload: Array(payload.utf8))
    }

    private func batch(_ messages: [MQTTMessage]) throws -> IngestBatch {
        var registry = try DeviceRegistry(knowing: ["tank-1"])
        var batch = IngestBatch(receivedAt: .noon, history: .seconds(29 * 86_400))
        for message in messages { batch.add(message, &registry) }
        return batch
    }

    @Test func valuesOfOneTimeAreOneReading() throws {
        let time = #""phenomenonTime":"2026-05-01T11:59:00Z""#
        let batch = try batch([
            Self.message(#"{"result":7.9,\#(time)}"#), Self.message(#"{"result":21,\#(time)}"#, "tank-1:temperature"),
            Self.message(#"{"result":7.9,\#(time)}"#),
        ])
        #expect(batch.samples.map(\.readings) == [Readings([.ph: 7.9, .temperature: 21])])
        #expect(batch.repetitions == 1 && batch.rejects.isEmpty)
    }

    /// The same number of two Datastreams is no repetition, and of one it is.
    @Test func withoutATimeTheReceiptCounts() throws {
        let batch = try batch([
            Self.message(#"{"result":8}"#), Self.message(#"{"result":8}"#, "tank-1:dissolved_oxygen"),
            Self.message(#"{"result":8}"#, "tank-1:dissolved_oxygen"),
        ])
        #expect(batch.samples.map(\.readings) == [Readings([.ph: 8]), Readings([.dissolvedOxygen: 8])])
        #expect(batch.repetitions == 1)
        #expect(batch.samples.allSatisfy { $0.flags.contains(.timedByReceipt) })
    }

    @Test func faultsReachTheOwner() throws {
        let batch = try batch([
            Self.message(#"{"result":"high"}"#), Self.message("high"), Self.message("{}"),
            Self.message(#"{"result":7.9,"phenomenonTime":"2020-05-01T12:00:00Z"}"#),
            Self.message(#"{"result":7.9}"#, "tank-1:ph:hand"), Self.message(#"{"result":7.9}"#, "tank-2:ph"),
        ])
        #expect(batch.samples.isEmpty)
        #expect(batch.rejectCounts == [.wrongType: 1, .malformed: 2, .tooOld: 1, .topic: 1, .unknownDevice: 1])
    }
}
