import HTTPTypes
import Instants
import Mail
import Messaging
import People
import Postgres
import PublicHTTP
import PushClient
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Words

/// Registers a service that brings messages to a person, once they have typed the code that it brought them.
struct MessagingRegistration: Sendable {
    let scope: Scope

    /// Sends a code.
    /// - Throws: `Problem`, when the service cannot be used as the person wants, or does not take the message.
    func begin(_ channel: Endpoint.Channel, _ values: ServiceValues) async throws -> SentCode {
        guard let service = MessagingServices[channel: channel] else { throw Problem(.internalError) }
        guard channel != .email || scope.services.hasMail else { throw Problem(.mailOff) }
        let known = try checked(values, by: service)
        let (account, now) = try await EndpointAddition.require(roomFor: known.identity, on: channel, scope)
        let proof = EndpointProof(of: MessagingPlace(channel: channel, values: values), at: now)
        let dispatch = try known.dispatch(of: message(proof.code, at: now))
        if case .mail(let mail) = dispatch {
            try await requireMail(mail.to, for: account)
        }
        let answer: PushAnswer
        do {
            answer = try await scope.services.challenger.send(dispatch, for: account)
        } catch let fault as PushTargetFault {
            let field = service.fields.first { $0.name == .server || $0.name == .address }?.name ?? .server
            throw Self.problem(of: ServiceFault(field, .target(fault)))
        }
        if let problem = answer.codeProblem { throw Problem(problem) }
        return try proof.sent(for: account, scope)
    }

    /// Registers what a code was sent to.
    /// - Throws: `Problem`. Nothing is stored then.
    func complete(
        _ text: String, _ code: String, session: SessionID?, _ encoding: AnswerEncoding<ShownEndpoint>
    ) async throws -> Answer<ShownEndpoint> {
        let place = try await EndpointProof<MessagingPlace>.require(text, code, scope)
        guard let service = MessagingServices[channel: place.channel] else { throw Problem(.codeExpired) }
        let known = try checked(place.values, by: service)
        let keys = scope.services.secretKeys.renewed()
        let addition = EndpointAddition(
            channel: place.channel, address: known.identity, secret: try place.values.stored())
        return try await scope.creation(encoding) { transaction, account in
            let endpoint = try addition.add(
                to: account, sealedWith: keys.newest, from: session, in: transaction)
            return .value(
                try transaction.endpoint(endpoint, of: account),
                headers: [.location: "\(GatewayAPI.base)/endpoints/\(endpoint)"])
        }
    }

    /// Sees to it that nobody fills another one's mailbox; strangers who try do not keep a person from their own.
    private func requireMail(_ address: MailAddress, for account: Account.ID) async throws {
        let own = try await scope.transaction { transaction, account in
            try transaction.execute(ReadAccount(account)).first?.email
        }
        let asked = EmailAddress(address.text)
        try scope.services.guesses.codes.require(
            Guess(
                subject: asked?.mailbox ?? address.text, origin: scope.address.guessOrigin,
                familiar: asked?.text == own ? "account \(account.rawValue)" : nil))
    }

    private func checked(_ values: ServiceValues, by service: any MessagingService.Type) throws -> any MessagingService
    {
        do {
            return try service.checked(values)
        } catch {
            throw Self.problem(of: error)
        }
    }

    private func message(_ code: String, at now: Timestamp) -> ServiceMessage {
        let words = SentCode.words(code, in: scope.language)
        return ServiceMessage(
            id: "code-\(now.microseconds)", title: words.title, body: words.text, link: nil, urgency: .low,
            time: now.microseconds / 1_000_000, language: scope.language, code: code)
    }

    private static func problem(of fault: ServiceFault) -> Problem {
        guard let input = MessagingInputs.fields[fault.field] else { return Problem(.internalError) }
        return Problem(input, fault.reason.fault)
    }
}
