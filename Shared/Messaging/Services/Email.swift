import Mail
import WaterQuality
import Words

/// E-mail, by the operator's server.
struct Email: MessagingService {
    static let channel = Endpoint.Channel.email
    static let name = "E-mail"
    static let fields = [ServiceField(.email, pattern: MailAddress.pattern, example: "ada@example.org")]

    private let address: MailAddress

    init(_ values: ServiceValues) throws(ServiceFault) {
        guard let address = MailAddress(try values.required(.email)) else { throw ServiceFault(.email, .malformed) }
        self.address = address
    }

    /// In lower case: whoever has a mailbox has it in all spellings.
    var identity: String { "mailto:\(address.text.lowercased())" }

    /// It is the operator's server for all.
    var credential: String? { nil }

    func dispatch(of message: ServiceMessage) throws -> ServiceDispatch {
        let language = message.language
        return .mail(
            MailMessage(
                to: address, id: message.id, thread: message.thread, language: language.rawValue, title: message.title,
                text: message.report?.text ?? message.body, table: message.report?.table,
                action: message.link.map { .init(language.text("mail.open"), $0) },
                answer: message.answer.map { .init(language.text($0.subject.page), $0.page) },
                reason: message.stop == nil ? nil : language.text("mail.why"),
                stop: message.stop.map { .init(language.text("mail.stop"), $0.page) },
                unsubscribe: message.stop?.posted, isUrgent: message.urgency == .critical, time: message.time))
    }
}
