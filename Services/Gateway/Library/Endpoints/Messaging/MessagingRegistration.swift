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

    struct SentCode: Sendable {
        let proof: String
        let expiresAt: Timestamp
    }

    /// Sends a code.
    /// - Throws: `Problem`, when the service cannot be used as the person wants, or does not take the message.
    func begin(_ channel: Endpoint.Channel, _ values: ServiceValues) async throws -> SentCode {
        guard let service = MessagingServices[channel: channel] else { throw Problem(.internalError) }
        guard channel != .email || scope.services.hasMail else { throw Problem(.mailOff) }
        let known = try checked(values, by: service)
        let (account, now) = try await EndpointAddition.require(roomFor: known.identity, on: channel, scope)
        let proof = EndpointProof(channel: channel, values: values, at: now)
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
        if let problem = Self.problem(of: answer) { throw Problem(problem) }
        return SentCode(
            proof: try proof.sealed(with: scope.services.secretKeys.renewed().newest, for: account),
            expiresAt: proof.expiresAt)
    }

    /// Registers what a code was sent to.
    /// - Throws: `Problem`. Nothing is stored then.
    func complete(
        _ text: String, _ code: String, session: SessionID?, _ encoding: AnswerEncoding<ShownEndpoint>
    ) async throws -> Answer<ShownEndpoint> {
        let keys = scope.services.secretKeys.renewed()
        let (account, now) = try await scope.transaction { transaction, account in
            guard let now = try transaction.execute(ReadClock()).first else { throw Problem.pause }
            return (account, now)
        }
        let proof = try EndpointProof(text, of: account, openedWith: keys, at: now)
        guard let service = MessagingServices[channel: proof.channel] else { throw Problem(.codeExpired) }
        let known = try checked(proof.values, by: service)
        try scope.services.challenger.admitGuess(of: account)
        guard proof.code == code else { throw Problem(.codeWrong) }
        let addition = EndpointAddition(
            channel: proof.channel, address: known.identity, secret: try proof.values.stored())
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
        let language = scope.language
        return ServiceMessage(
            id: "code-\(now.microseconds)", title: language.text("notice.code", ["code": code]),
            body: language.text("notice.code_text"), link: nil, urgency: .low, time: now.microseconds / 1_000_000,
            language: language, code: code)
    }

    private static func problem(of fault: ServiceFault) -> Problem {
        guard let input = MessagingInputs.fields[fault.field] else { return Problem(.internalError) }
        return Problem(input, fault.reason.fault)
    }

    private static func problem(of answer: PushAnswer) -> ProblemType? {
        switch answer {
        case .response(200...299, _): nil
        case .response: .serviceRefused
        case .noConnection, .broken, .notPermitted, .unusable: .endpointUnreachable
        case .silence: .endpointUnanswered
        }
    }
}
