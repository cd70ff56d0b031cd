import HTTPTypes
import Messaging
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// The route to which a provider of calls posts the key by which somebody answers the alarm that they were called for.
enum CallAnswerRoutes {
    static let all = [answer]

    // In the address, unlike other links: it opens nothing without the provider's signature.
    private static let link = Input<String>.path(
        "link", .text(1...512, pattern: "^[A-Za-z0-9_-]+$", example: String(repeating: "A", count: 128)),
        "The link of the call.")
    private static let key = Input<String?>.optionalField(
        "Digits", .text(0...32, pattern: "^[0-9*#]*$", example: "1"), "The key: 1: I'm on it; 2: snooze for an hour.")
    private static let signature = Input<String?>.optionalHeader(
        .providerSignature, .text(0...512),
        "The provider's signature of this address and all fields of the form, by the token of the person's account.")

    private static let answer = Route<Caller>(
        .post, "/call-answers/{link}", id: "answerAlarmByKey", tag: AlertRoutes.tag.name, access: .anyone,
        "Answer an alarm by a key in a call",
        text: """
            For providers of calls, which post the key that was pressed, with fields of their own. The answer is TwiML, which says what came of \
            it in the person's language; after another key it asks once more. What is not signed by the account that was to call is refused.
            """,
        inputs: [link, key, signature], answers: .text(TwiML.mediaType, "What is said next, as TwiML.") { $0.text },
        problems: [.notFound, .forbidden, .linkExpired]
    ) { (caller, inputs) -> Answer<TwiML> in
        let scope = caller.scope
        let keys = scope.services.secretKeys.renewed()
        guard let call = CallLink(inputs[link], openedWith: keys) else { throw Problem(.notFound) }
        // As the Notifier wrote it into the call (`RenderedAlert.keyed`).
        let address = "\(scope.services.origin.text)\(GatewayAPI.base)/call-answers/\(inputs[link])"
        let proof = CallProof(
            call: call, signed: CallbackSignature(of: address, fields: try caller.form()),
            signature: inputs[signature], keys: keys)
        let said = LinkAnswer(key: inputs[key])
        let answered = try await scope.answering(
            call.answerToken, at: Endpoint.ID(rawValue: call.endpoint), TransactionOptions(isReadOnly: said == nil),
            admit: proof.require
        ) { transaction, alert in
            if let said { try said.give(to: alert, in: transaction) }
        }
        return .value(
            SpokenMessage.answering(said == nil ? nil : answered.said, in: answered.alert.language, keyed: address))
    }.takingForm()
}

/// A request that says to come from the provider that was asked to call an endpoint.
private struct CallProof: Sendable {
    let call: CallLink
    let signed: CallbackSignature
    let signature: String?
    let keys: SecretKeys

    /// - Throws: `Problem(.forbidden)` where it was not signed by the account of that endpoint, or the endpoint is not the person's any more.
    func require(_ transaction: PostgresTransaction, of account: Account.ID) throws {
        let statement = ReadCallAccount(endpoint: Endpoint.ID(rawValue: call.endpoint), account: account)
        guard let signature, let sealed = try transaction.execute(statement).first,
            let opened = try? keys.openEndpoint(
                SealedSecret(stored: sealed), channel: Endpoint.Channel.call.rawValue, number: call.endpoint),
            let token = ServiceValues(stored: opened.endpoint.secret)?[.token], signed.isValid(signature, by: token)
        else { throw Problem(.forbidden) }
    }
}

extension Caller {
    /// All fields of a form, of which a route need not know each.
    /// - Throws: `Problem(.malformedBody)` where one cannot be decoded.
    fileprivate func form() throws -> [(name: String, value: String)] {
        try Query(String(decoding: body, as: UTF8.self)).parameters.map { field in
            guard let value = field.value else { throw Problem(.malformedBody) }
            return (field.name, value)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let providerSignature: HTTPField.Name = {
        guard let name = HTTPField.Name("X-Twilio-Signature") else { preconditionFailure("This is a field name") }
        return name
    }()
}
