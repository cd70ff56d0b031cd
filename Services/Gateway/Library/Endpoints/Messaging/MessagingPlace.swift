import Messaging
import Secrets
import WaterQuality

/// A service that brings messages, with what the person gave for it.
struct MessagingPlace: ProvenPlace {
    let channel: Endpoint.Channel
    let values: ServiceValues

    static func context(of account: Account.ID) -> SealedSecret.Context { .proof(account: account.rawValue) }

    private struct Stored: Codable {
        var channel: String
        var values: [UInt8]
    }

    init(channel: Endpoint.Channel, values: ServiceValues) {
        self.channel = channel
        self.values = values
    }

    init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        guard let channel = Endpoint.Channel(rawValue: stored.channel),
            let values = ServiceValues(stored: stored.values)
        else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no service"))
        }
        self.init(channel: channel, values: values)
    }

    func encode(to encoder: any Encoder) throws {
        try Stored(channel: channel.rawValue, values: try values.stored()).encode(to: encoder)
    }
}
