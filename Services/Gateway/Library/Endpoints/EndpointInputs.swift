import FoundationEssentials
import Routes
import Secrets
import WaterQuality

/// The inputs of the routes of endpoints.
enum EndpointInputs {
    static let endpoint = Input<Endpoint.ID>.path("endpoint", .endpoint, "The endpoint's number.")

    static let url = Input<String>.field(
        "url",
        .text(1...2048, pattern: "^[!-~]+$", example: "https://alerts.example.org/ada"),
        "The address that gets signed POST requests: https, port 443, a public host name.")

    static let secret = Input<WebhookSecret?>.optionalField(
        "secret", .webhookSecret,
        "The secret that messages are signed with, if the receiver wants to know it before the challenge. Without it, "
            + "one is made.")

    static let overlap = Input<Int>.field(
        "overlapHours", .integer(0...168), default: 24,
        "For how many hours messages are signed with the former secret as well.")

    static let heedsQuietHours = Input.optionalField(
        "heedsQuietHours", .boolean, "Whether it is told only later what is held back; as before where it is missing.")

    static let onlyUrgent = Input.optionalField(
        "onlyUrgent", .boolean,
        "Whether it is told of nothing but what is critical, and of calls because nobody answers; as before where it is missing."
    )

    static let tested = Input<Endpoint.ID?>.optionalField(
        "endpoint", .endpoint, "The only endpoint that is tested; without it, all of the person's are.")
}

extension Format where Value == Endpoint.ID {
    /// The number of an endpoint.
    fileprivate static var endpoint: Format {
        let number = Format<Int>.integer(1...9_007_199_254_740_991)
        return Format(
            schema: number.schema,
            readText: { text throws(Fault) in Endpoint.ID(rawValue: Int64(try number.readText(text))) },
            readJSON: { json throws(Fault) in Endpoint.ID(rawValue: Int64(try number.readJSON(json))) })
    }
}

extension Format where Value == WebhookSecret {
    /// `whsec_` and 24 to 64 bytes in base64.
    fileprivate static var webhookSecret: Format {
        let pattern =
            "^whsec_(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
            + "|(?:[A-Za-z0-9+/]{4}){21}(?:[A-Za-z0-9+/]{2}==)?)$"
        return Format(
            schema: Schema(
                [
                    "type": "string", "minLength": 38, "maxLength": 94, "pattern": .string(pattern), "writeOnly": true,
                ], example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        ) { text throws(Fault) in
            guard let secret = WebhookSecret(text) else { throw .pattern }
            return secret
        }
    }
}
