import FoundationEssentials
import PushClient
import WaterQuality

/// A Matrix room (spec.matrix.org, client-server API): the access token of an account that is in it.
struct Matrix: WebService {
    static let channel = Endpoint.Channel.matrix
    static let name = "Matrix"
    static let fields = [
        ServiceField(.server, pattern: ServerAddress.pattern, example: "https://matrix.example.org"),
        ServiceField(.room, pattern: "![!-~]{1,254}", example: "!koi:example.org"),
        ServiceField(.token, pattern: "[!-~]{8,512}", isSecret: true, example: "syt_YXF1YQ_example"),
    ]

    private let server: ServerAddress
    private let room: String
    private let token: String

    init(_ values: ServiceValues) throws(ServiceFault) {
        server = try ServerAddress(values)
        room = try values.required(.room)
        token = try values.required(.token)
    }

    var identity: String { "\(server.url)/_matrix/client/v3/rooms/\(room.percentEncoded)/send/m.room.message" }

    var credential: String? { token }

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        // A transaction's id that comes again is the same event: a repeated attempt shows nothing twice.
        try .json(
            "\(identity)/\(message.id.percentEncoded)", ["msgtype": "m.text", "body": message.lines], token: token,
            method: .put)
    }

    /// How long to wait is said in the body, in milliseconds; servers of version 1.10 and later say it in the header as well.
    static func answer(to reply: PushReply) -> PushAnswer {
        struct Refusal: Decodable {
            enum CodingKeys: String, CodingKey { case retryAfterMilliseconds = "retry_after_ms" }
            var retryAfterMilliseconds: Int?
        }
        guard case .response(429, nil) = reply.answer, let body = reply.body,
            let milliseconds = (try? JSONDecoder().decode(Refusal.self, from: Data(body)))?.retryAfterMilliseconds,
            milliseconds >= 0
        else { return reply.answer }
        return .response(status: 429, retryAfter: "\(milliseconds / 1000 + 1)")
    }
}
