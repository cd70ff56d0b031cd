import PushClient
import WaterQuality

/// Text messages to a telephone, through the person's own account at a provider (twilio.com/docs/messaging/api/message-resource).
struct Sms: WebService {
    static let channel = Endpoint.Channel.sms
    static let name = "SMS"
    // From a number of the account's, or from whichever its Messaging Service chooses.
    static let fields = TelephonyAccount.fields(from: "\(TelephonyAccount.number)|MG[0-9a-fA-F]{32}")

    private let account: TelephonyAccount

    init(_ values: ServiceValues) throws(ServiceFault) { account = try TelephonyAccount(values) }

    var identity: String { account.identity(of: Self.resource) }
    var credential: String? { account.credential }

    private static let resource = "Messages"

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        let sender = account.from.hasPrefix("+") ? "From" : "MessagingServiceSid"
        return account.request(
            Self.resource, [("To", account.to), (sender, account.from), ("Body", ShortMessage.text(of: message))])
    }

    static func answer(to reply: PushReply) -> PushAnswer { TelephonyAccount.answer(to: reply) }
}
