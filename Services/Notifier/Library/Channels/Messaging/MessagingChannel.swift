import Instants
import Mail
import Messaging
import PushClient
import PushTargets
import Secrets
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Sends alerts through a service that brings messages to people's phones, into their chats or their mailboxes.
struct MessagingChannel: DeliveryChannel {
    let service: any MessagingService.Type
    /// Where a person who taps a message is led; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let courier: Courier
    private let pauses = OriginPauses()

    init(
        service: any MessagingService.Type, origin: PublicOrigin?, keys: Renewable<SecretKeys>, courier: Courier
    ) {
        self.service = service
        self.origin = origin
        self.keys = keys
        self.courier = courier
    }

    /// A mail server may well take seconds, and has a few connections for all, for which some wait. A maker that serves everybody takes
    /// its time with one account and not with another, for which the others must not wait: there only an outage counts.
    func slow(at host: String) -> Duration? {
        if service.channel == .email { return .seconds(10) }
        return service.publicHosts.contains(host) ? Self.outage : nil
    }

    /// Less than it takes until a connection is given up.
    static let outage = Duration.seconds(4)

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushReply {
        let (registered, dispatch, address): (any MessagingService, ServiceDispatch, ServiceAddress)
        do {
            registered = try self.registered(at: endpoint)
            dispatch = try registered.dispatch(of: message(alert, to: endpoint))
            address = try courier.address(of: dispatch)
        } catch let fault as PushTargetFault {
            return PushReply(.unusable("the target is not permitted: \(fault.rawValue)"))
        } catch let fault as ServiceFault {
            return PushReply(.unusable("the service has other rules now: \(fault.field.rawValue)"))
        } catch {
            return PushReply(.unusable("\(error)"))
        }
        let answer = await courier.send(dispatch, to: address, for: AskerID(rawValue: endpoint.account.rawValue))
        pauses.note(
            answer, from: address.origin, to: endpoint.account, as: registered.customer, receivedAt: time)
        return PushReply(answer)
    }

    func pause(before endpoint: Destination) -> Duration? {
        let origin =
            service.channel == .email ? ServiceAddress.mailServer.origin : (try? PushTarget(endpoint.target))?.origin
        // What cannot be opened is said when it is sent.
        let customer = try? registered(at: endpoint).customer
        return origin.flatMap { pauses.rest(of: $0, for: endpoint.account, as: customer) }
    }

    private func registered(at endpoint: Destination) throws -> any MessagingService {
        let opened = try keys.openEndpoint(endpoint, on: service.channel)
        guard let values = ServiceValues(stored: opened.secret) else { throw Malformed() }
        return try service.registered(values)
    }

    private func message(_ alert: RenderedAlert, to endpoint: Destination) -> ServiceMessage {
        var message = ServiceMessage(alert, origin: origin)
        message.answer = origin.flatMap { alert.answerLinks(origin: $0, sealedWith: keys.current.newest) }
        if service.channel == .call, let origin {
            message.keyed = alert.keyed(origin: origin, to: endpoint.id, sealedWith: keys.current.newest)
        }
        if let origin, let token = endpoint.stopToken,
            let link = try? SealedLink.stop.text(of: token, sealedWith: keys.current.newest)
        {
            message.stop = StopLinks(
                page: "\(origin.text)/unsubscribe#\(link)", posted: "\(origin.text)/api/v1/unsubscriptions/\(link)")
        }
        return message
    }

    private struct Malformed: Error, CustomStringConvertible {
        let description = "what is stored of the service is malformed"
    }
}

extension MessagingService {
    fileprivate var customer: OriginPauses.Customer? { credential.map(OriginPauses.Customer.init) }
}

extension ServiceMessage {
    init(_ rendered: RenderedAlert, origin: PublicOrigin?) {
        let alert = rendered.alert
        let words = rendered.words(longestName: RenderedAlert.longestNameInTitle)
        self.init(
            id: rendered.id, title: words.title, body: words.body,
            link: origin.map { "\($0.text)\(rendered.path)" },
            urgency: .init(rendered.urgency),
            time: alert.decidedAt.microseconds / 1_000_000, language: alert.language, report: Report(alert),
            thread: rendered.alerts.count > 1 ? nil : alert.episode.map { "episode-\(alert.key.slot)-\($0.rawValue)" })
    }
}

extension ServiceMessage.Urgency {
    fileprivate init(_ urgency: AlertUrgency) {
        self =
            switch urgency {
            case .critical: .critical
            case .pressing: .high
            case .calm, .quiet: .low
            }
    }
}

extension ServiceMessage.Report {
    /// - Returns: nil for an alert whose words say all.
    fileprivate init?(_ alert: StoredAlert) {
        guard case .summary(let summary) = alert.content else { return nil }
        let report = summary.report(in: alert.language)
        self.init(text: report.text, table: report.rows.isEmpty ? nil : MailTable(head: report.head, rows: report.rows))
    }
}
