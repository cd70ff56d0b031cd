import PushClient
import WaterQuality

/// Calls to a telephone that say the message, through the person's own account at a provider (twilio.com/docs/voice/api/call-resource).
struct Call: WebService {
    static let channel = Endpoint.Channel.call
    static let name = "Call"
    static let fields = TelephonyAccount.fields(from: TelephonyAccount.number)

    private let account: TelephonyAccount

    init(_ values: ServiceValues) throws(ServiceFault) { account = try TelephonyAccount(values) }

    var identity: String { account.identity(of: Self.resource) }
    var credential: String? { account.credential }

    private static let resource = "Calls"

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        let document = SpokenMessage.calling(with: message)
        return account.request(Self.resource, [("To", account.to), ("From", account.from), ("Twiml", document)])
    }

    static func answer(to reply: PushReply) -> PushAnswer { TelephonyAccount.answer(to: reply) }
}
