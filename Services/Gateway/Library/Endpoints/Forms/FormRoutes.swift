import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Webhooks

/// Routes about the form of what a webhook is sent.
enum FormRoutes {
    static let all = [show, change, preview]

    private static let show = Route<Caller>(
        .get, "/endpoints/{endpoint}/form", id: "showEndpointForm", tag: EndpointRoutes.tag.name, access: .fresh,
        "Show the form of what a webhook is sent",
        text: "With its template, which may well hold a token of the receiver's.",
        inputs: [EndpointInputs.endpoint], answers: .json(.ok, EndpointForm.output), problems: [.notFound],
        handle: { caller, inputs in
            let endpoint = inputs[EndpointInputs.endpoint]
            let keys = caller.scope.services.secretKeys.renewed()
            return .value(
                try await caller.scope.transaction { transaction, account in
                    try transaction.form(of: endpoint, account, openedWith: keys)
                })
        })

    private static let change = Route<Caller>(
        .patch, "/endpoints/{endpoint}/form", id: "changeEndpointForm", tag: EndpointRoutes.tag.name, access: .fresh,
        "Choose the form of what a webhook is sent",
        text: "From the next attempt on. Addresses, secrets and signatures stay as they are.",
        inputs: [EndpointInputs.endpoint, FormInputs.changedForm, FormInputs.template, FormInputs.templateType],
        answers: .json(.ok, EndpointForm.output),
        problems: [.notFound],
        handle: { caller, inputs in
            let endpoint = inputs[EndpointInputs.endpoint]
            let keys = caller.scope.services.secretKeys.renewed()
            return .value(
                try await caller.scope.transaction { transaction, account in
                    guard try !transaction.execute(ReadEndpointForm(endpoint, of: account)).isEmpty else {
                        throw Problem(.notFound)
                    }
                    let form = try WebhookForm(inputs, form: FormInputs.changedForm)
                        .stored(for: endpoint, sealedWith: keys.newest)
                    _ = try transaction.execute(SetEndpointForm(endpoint, of: account, to: form))
                    return try transaction.form(of: endpoint, account, openedWith: keys)
                })
        })

    private static let preview = Route<Caller>(
        .post, "/webhook-previews", id: "previewWebhook", tag: EndpointRoutes.tag.name, access: .read,
        "Show what a webhook would be sent",
        text: "An alarm that might be the person's, or its end, in a form. Nothing is sent and nothing is stored.",
        inputs: [FormInputs.form, FormInputs.template, FormInputs.templateType, FormInputs.purpose],
        answers: .json(.ok, WebhookPreview.output), limit: .heavy,
        handle: { caller, inputs in
            let form = try WebhookForm(inputs)
            let origin = caller.scope.services.origin.text
            let example = try await caller.scope.transaction { transaction, account in
                try transaction.execute(FindExampleWatch(of: account)).first
            }
            guard let example else { throw Problem(.internalError) }
            let content = WebhookContent(
                example: inputs[FormInputs.purpose] == .alarm ? .alarm : .recovery, of: example,
                in: caller.scope.language)
            return .value(WebhookPreview(id: content.id, body: try form.body(of: content, from: origin)))
        })
}

extension PostgresTransaction {
    /// - Throws: `Problem(.notFound)` for what is no webhook of the person's.
    fileprivate func form(
        of endpoint: Endpoint.ID, _ account: Account.ID, openedWith keys: SecretKeys
    ) throws -> EndpointForm {
        guard let stored = try execute(ReadEndpointForm(endpoint, of: account)).first else { throw Problem(.notFound) }
        return EndpointForm(
            form: stored.form,
            // A template that no key opens any more is shown as missing, so that it can be written anew.
            template: try? stored.template(of: endpoint, openedWith: keys), type: stored.templateType)
    }
}
