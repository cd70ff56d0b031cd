package import Mail
package import PushClient
package import PushTargets

/// Brings messages to services: by requests to where a person wants, and by the operator's mail server.
package struct Courier: Sendable {
    private let client: PushClient
    private let mail: MailClient?

    /// - Parameter mail: nil where the operator named no mail server.
    package init(client: PushClient, mail: MailClient?) {
        self.client = client
        self.mail = mail
    }

    /// Where a message goes by the rules of now, which may be others than when the way was registered.
    package func address(of dispatch: ServiceDispatch) throws(PushTargetFault) -> ServiceAddress {
        switch dispatch {
        case .request(let request, _): .target(try client.policy.register(request.url))
        case .mail: .mailServer
        }
    }

    /// Sends a message once. It does not throw: whatever happens is an answer.
    /// - Parameter asker: The account for which it is sent.
    package func send(_ dispatch: ServiceDispatch, to address: ServiceAddress, for asker: AskerID) async -> PushAnswer {
        switch (dispatch, address) {
        case (.request(let request, let answer), .target(let target)):
            answer(
                await client.exchange(
                    request.body, headers: request.headers.map { ($0.name, $0.value) }, to: target, for: asker,
                    method: request.method))
        case (.mail(let message), .mailServer):
            if let mail {
                PushAnswer(await mail.send(message))
            } else {
                .unusable("AQUA_SMTP_URL names no mail server")
            }
        default: preconditionFailure("the address is another message's")
        }
    }
}

/// Where a message goes.
package enum ServiceAddress: Hashable, Sendable {
    case target(PushTarget)
    case mailServer

    /// The place that asks for pauses as one.
    package var origin: String {
        switch self {
        case .target(let target): target.origin
        case .mailServer: "mail"
        }
    }

    /// The place that takes so many at once.
    package var host: String {
        switch self {
        case .target(let target): target.host
        case .mailServer: origin
        }
    }
}

extension PushAnswer {
    /// Codes that ask for something in HTTP, and are told roughly.
    private static let meansOtherwise: Set = [406, 410, 429, 503]

    /// A mail server's reply in the terms of HTTP. Only an address that it does not know is gone: all else is mended by the operator, or
    /// by itself.
    init(_ reply: MailReply) {
        self =
            switch reply {
            case .accepted: .response(status: 250)
            case .unknownAddress: .response(status: 410)
            // Too much at once, or for now: a pause for all.
            case .refused(421, _): .response(status: 503, retryAfter: "60")
            // A full mailbox or greylisting, for instance: this address alone.
            case .refused(let code, _): .response(status: Self.meansOtherwise.contains(code) ? code / 100 * 100 : code)
            case .noConnection(.timeout): .noConnection(.timeout)
            case .noConnection(.refused): .noConnection(.refused)
            case .noConnection(.encryption): .noConnection(.encryption)
            case .loginRefused: .unusable("the mail server does not take AQUA_SMTP_USER and its secret")
            case .broken: .broken
            case .silence: .silence
            }
    }
}
