import Instants
import PushClient
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Webhooks

/// Registers a webhook that answers no challenge, once its person has typed the code that its receiver showed them.
struct CodedRegistration: Sendable {
    let scope: Scope

    /// Sends a code in the form that the person chose.
    /// - Throws: `Problem`, when the address must not be called, does not take the message, or the message would not hold the code.
    func begin(_ webhook: CodedWebhook) async throws -> SentCode {
        let challenger = scope.services.challenger
        let target = try challenger.policy.target(of: webhook.url)
        let (account, now) = try await EndpointAddition.require(
            roomFor: target.url, on: WebhookAddition.channel, scope)
        let proof = EndpointProof(of: webhook, at: now)
        let answer = try await challenger.send(
            message(of: proof, signedWith: webhook.secret, at: now), to: target, for: account)
        if let problem = answer.codeProblem { throw Problem(problem) }
        return try proof.sent(for: account, scope)
    }

    /// Registers what a code was sent to.
    /// - Parameter session: The session from which it is registered.
    /// - Throws: `Problem`. Nothing is stored then.
    func complete(
        _ text: String, _ code: String, session: SessionID?, _ encoding: AnswerEncoding<RegisteredEndpoint>
    ) async throws -> Answer<RegisteredEndpoint> {
        let webhook = try await EndpointProof<CodedWebhook>.require(text, code, scope)
        return try await WebhookAddition(
            target: try scope.services.challenger.policy.target(of: webhook.url), secret: webhook.secret,
            form: webhook.form
        ).add(from: session, scope, encoding)
    }

    private func message(
        of proof: EndpointProof<CodedWebhook>, signedWith secret: WebhookSecret, at now: Timestamp
    ) throws -> SignedWebhook {
        let content = WebhookContent(code: proof.code, at: now, in: scope.language)
        let body = try proof.place.form.body(of: content, from: scope.services.origin.text)
        // A template that leaves out title and text tells nobody anything.
        guard body.bytes.contains(proof.code.utf8) else { throw Problem(FormInputs.template, .codeless) }
        return SignedWebhook(
            id: content.id, body: body.bytes, contentType: body.contentType, secrets: [secret], at: now)
    }
}
