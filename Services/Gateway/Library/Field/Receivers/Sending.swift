import Instants
import Routes
import Store
import WaterQuality

struct SendingID: RowUUID {
    let rawValue: UInt128
}

/// A project that receives the samples of a device or place, as its owner, whoever else sees it, and the project see it.
struct Sending: Sendable {
    var id: SendingID
    var hardwareID: String
    /// The name of the project.
    var project: String
    /// The name of the owner, as others see it.
    var owner: String
    var since: Timestamp

    /// Most receivers of one device or place, and most devices and places of which one project receives.
    static let mostReceivers = 10
    static let mostSenders = 1000
}

extension Output where Value == Sending {
    static let sampleSending = object(
        "SampleReceiver", "A project that receives the samples of a device or place.",
        [
            .member("id", .id, "Its id.") { $0.id },
            .member("device", .text, "The device or place.", example: "weir-1") { $0.hardwareID },
            .member("project", .text, "The name of the project that receives.", example: "Water board") { $0.project },
            .member("owner", .text, "The owner of the device or place, who agreed.", example: "Ana") { $0.owner },
            .member("since", .timestamp, "Since when.") { $0.since },
        ])
}
