import Routes
import WaterQuality
import Webhooks

/// The inputs that say in which form a webhook is sent what it is told.
enum FormInputs {
    static let form = Input<Endpoint.Form>.field(
        "form", .choice(Endpoint.Form.self).example("template"), default: .standard,
        "standard: our own; cloudEvents: CloudEvents 1.0; alertmanager: the payload of Prometheus Alertmanager; template: a text of the "
            + "person's own.")

    static let registeredForm = Input<Endpoint.Form?>.optionalField(
        "form", .choice(Endpoint.Form.self).example("template"),
        "As previewWebhook takes it. Without it an address of the person's own keeps the form that it has, and another one "
            + "gets standard.")

    static let changedForm = Input<Endpoint.Form>.field(
        "form", .choice(Endpoint.Form.self).example("template"), "The form.")

    static let template = Input<String?>.optionalField(
        "template", .text(1...MessageTemplate.longest).example("{\"text\": {{title}}, \"over\": {{over}}}"),
        "Of the form template, its text, 4096 bytes at most. {{name}} is a place for a member of our own form's data; {{name | json}} and "
            + "{{name | url}} say how it is written; {{#if name}}...{{else}}...{{/if}} is a section.")

    static let templateType = Input<MessageTemplate.ContentType?>.optionalField(
        "templateType", .choice(MessageTemplate.ContentType.self),
        "Of the form template, what it makes; application/json where it is not given.")

    static let purpose = Input<PreviewedPurpose>.field(
        "purpose", .choice(PreviewedPurpose.self), default: .alarm, "What the example tells.")

    enum PreviewedPurpose: String, CaseIterable, Sendable { case alarm, recovery }
}

extension WebhookForm {
    /// The form that a request asks for.
    /// - Throws: `Problem`, which names what is wrong with a template.
    init(_ inputs: Inputs, form: Input<Endpoint.Form> = FormInputs.form) throws {
        try self.init(inputs, as: inputs[form])
    }

    /// The form that a registration asks for; nil where it asks for none.
    static func registered(_ inputs: Inputs) throws -> WebhookForm? {
        let form = inputs[FormInputs.registeredForm]
        // A template without its form is refused, like that of the standard one.
        let asked = try WebhookForm(inputs, as: form ?? .standard)
        return form == nil ? nil : asked
    }

    /// The same where the form is known already.
    init(_ inputs: Inputs, as form: Endpoint.Form) throws {
        let (text, type) = (inputs[FormInputs.template], inputs[FormInputs.templateType])
        switch form {
        case .template:
            guard let text else { throw Problem(FormInputs.template, .missing) }
            do {
                self = .template(try MessageTemplate(text, type: type ?? .json))
            } catch {
                throw Problem(FormInputs.template, Fault(error))
            }
            return
        case .standard: self = .standard
        case .cloudEvents: self = .cloudEvents
        case .alertmanager: self = .alertmanager
        }
        if text != nil { throw Problem(FormInputs.template, .unknown) }
        if type != nil { throw Problem(FormInputs.templateType, .unknown) }
    }
}

extension Fault {
    /// The fault of a template, which says in which line and what to do.
    fileprivate init(_ fault: TemplateFault) {
        let line = JSON.Member("line", .integer(Int64(fault.line)))
        func named(_ code: String, _ name: String?) -> Fault {
            Fault(code, parameters: [line, .init("name", .string(name ?? "…"))])
        }
        self =
            switch fault.reason {
            case .tooLong:
                Fault("template-too-long", parameters: [.init("maximum", .integer(Int64(MessageTemplate.longest)))])
            case .unclosed: Fault("template-unclosed", parameters: [line])
            case .unknownName(let name): named("template-name", name)
            case .unknownFilter(let name): named("template-filter", name)
            case .nested: Fault("template-nested", parameters: [line])
            case .unendedSection: Fault("template-section", parameters: [line])
            case .stray: Fault("template-stray", parameters: [line])
            case .notJSON: Fault("template-json", parameters: [line])
            case .unendedJSON: Fault("template-json-ends", parameters: [line])
            case .noPlace: Fault("template-place", parameters: [line])
            case .quotedTwice: Fault("template-quoted", parameters: [line])
            case .unquoted: Fault("template-unquoted", parameters: [line])
            case .uneven: Fault("template-uneven", parameters: [line])
            case .notEncoded: Fault("template-encoding", parameters: [line])
            }
    }
}
