import Postgres
import WaterQuality

@testable import Gateway
@testable import Store

/// Statements of the Gateway about devices that people ask for.
extension ServiceStatements {
    private static let batch = EnrolmentID(rawValue: 1)
    private static let key = PageKey(
        publicKey: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        secret: "BTBZMqHH6r4Tts7J_aSIgg")!

    static let enrolmentStatements: [any Statement] = [
        ShowEnrolment(), LookAtIDs([hardwareID]), FindEnrolment(batch), ListEnrolledDevices(of: batch),
        DropEnrolment(batch),
    ]

    /// Needs somebody who is named.
    static let asked = AskEnrolment(
        kind: .make, page: key, links: true, devices: [WantedDevice(id: hardwareID, name: "Tank")])
}
