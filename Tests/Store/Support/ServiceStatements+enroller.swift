import Postgres
import WaterQuality

@testable import Operator
@testable import Store

/// Statements of the enroller.
extension ServiceStatements {
    private static let place = AskedDevice.Place(batch: EnrolmentID(rawValue: 1), line: 1)

    static let enrollerStatements: [any Statement] = [
        BeatEnroller(
            allowed: "projects", mostADay: 1, hosts: "mqtt.example.org", port: 8_883, usesTLS: true, httpOrigin: nil,
            authority: nil),
        TakeEnrolments(limit: 1), SettleEnrolment(place, .taken),
        EnrolDevice(
            place: place, slot: device.slot, claimCode: StoredClaimCode(hash: hash, keyID: SchemaFixture.keyID),
            keyID: SchemaFixture.keyID, keyHash: hash, sealed: [1], defaults: .ofManual),
        RekeyDevice(place: place, generation: 2, keyID: SchemaFixture.keyID, keyHash: hash, sealed: [1]),
    ]
}
