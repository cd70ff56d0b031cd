import FoundationEssentials
import PushClient

/// A person's own account at a provider with Twilio's REST interface: it pays, and its token signs what the provider asks of us.
struct TelephonyAccount: Hashable, Sendable {
    /// A telephone number in the form of E.164.
    static let number = "[+][1-9][0-9]{6,14}"

    /// - Parameter sender: The pattern of what messages may come from.
    static func fields(from sender: String) -> [ServiceField] {
        [
            ServiceField(.account, pattern: "[A-Za-z0-9-]{2,64}", example: "AC-example-of-an-account-sid-000000"),
            ServiceField(.token, pattern: "[!-~]{8,256}", isSecret: true, example: "example-of-an-auth-token-0000000"),
            ServiceField(.from, pattern: sender, example: "+15550100200"),
            ServiceField(.to, pattern: number, example: "+15550100300"),
            ServiceField(
                .server, pattern: ServerAddress.pattern, standard: "https://api.twilio.com",
                example: "https://api.twilio.com"),
        ]
    }

    private let server: ServerAddress
    private let id: String
    private let token: String
    let from: String
    let to: String

    init(_ values: ServiceValues) throws(ServiceFault) {
        server = try ServerAddress(values)
        id = try values.required(.account)
        token = try values.required(.token)
        from = try values.required(.from)
        to = try values.required(.to)
    }

    private func url(of resource: String) -> String { "\(server.url)/2010-04-01/Accounts/\(id)/\(resource).json" }

    /// One telephone by one account, whatever the token and the sender are by now.
    func identity(of resource: String) -> String { "\(url(of: resource))?To=\(to.percentEncoded)" }

    /// With the token: whoever knows an account's id alone is not that customer.
    var credential: String { "\(id):\(token)" }

    /// A request that makes one of the account's resources, such as a message.
    func request(_ resource: String, _ form: [(String, String)]) -> ServiceRequest {
        let credentials = Data(credential.utf8).base64EncodedString()
        return .form(url(of: resource), form, headers: [("authorization", "Basic \(credentials)")])
    }

    /// The code of a person who has answered STOP, until they answer START (twilio.com/docs/api/errors/21610).
    private static let optedOut = 21610

    /// The answer in the terms of HTTP. Whoever has answered STOP is gone; nothing else is for good, for numbers, tokens and balances
    /// are mended.
    static func answer(to reply: PushReply) -> PushAnswer {
        struct Refusal: Decodable { var code: Int? }
        guard case .response(let status, _) = reply.answer, status >= 400 else { return reply.answer }
        let code = reply.body.flatMap { try? JSONDecoder().decode(Refusal.self, from: Data($0)) }?.code
        if code == optedOut { return .response(status: 410) }
        // Not the provider's word: told roughly, since it would take the endpoint out of use.
        return status == 410 ? .response(status: 400) : reply.answer
    }
}
