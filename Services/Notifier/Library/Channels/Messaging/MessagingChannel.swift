import Instants
import Messaging
import PushClient
import PushTargets
import Secrets
import ServiceKit
import Store
import WaterQuality
import WebPush

/// Sends alerts through a service that brings messages to people's phones or into their chats.
struct MessagingChannel: DeliveryChannel {
    let service: any MessagingService.Type
    /// Where a person who taps a message is led; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    private let pauses = OriginPauses()

    init(
        service: any MessagingService.Type, origin: PublicOrigin?, keys: Renewable<SecretKeys>, client: PushClient
    ) {
        self.service = service
        self.origin = origin
        self.keys = keys
        self.client = client
    }

    func send(_ alert: RenderedAlert, to endpoint: Destination, at time: Timestamp) async -> PushAnswer {
        let (request, target): (ServiceRequest, PushTarget)
        do {
            let opened = try keys.openEndpoint(endpoint, on: service.channel)
            guard let values = ServiceValues(stored: opened.secret) else { throw Malformed() }
            request = try service.registered(values).request(for: ServiceMessage(alert, origin: origin))
            // Registered under the rules of its time; those of now decide.
            target = try client.policy.register(request.url)
        } catch let fault as PushTargetFault {
            return .unusable("the target is not permitted: \(fault.rawValue)")
        } catch let fault as ServiceFault {
            return .unusable("the service has other rules now: \(fault.field.rawValue)")
        } catch {
            return .unusable("\(error)")
        }
        let reply = await client.exchange(
            request.body, headers: request.headers.map { ($0.name, $0.value) }, to: target,
            for: AskerID(rawValue: endpoint.account.rawValue), method: request.method)
        let answer = service.answer(to: reply)
        pauses.note(answer, from: target.origin, to: endpoint.account, receivedAt: time)
        return answer
    }

    func pause(before endpoint: Destination) -> Duration? {
        guard let target = try? PushTarget(endpoint.target) else { return nil }
        return pauses.rest(of: target.origin, for: endpoint.account)
    }

    private struct Malformed: Error, CustomStringConvertible {
        let description = "what is stored of the service is malformed"
    }
}

extension ServiceMessage {
    /// The most bytes of a device's name in the title, so that what is wrong with it is not cut off.
    private static let longestName = 96

    init(_ rendered: RenderedAlert, origin: PublicOrigin?) {
        let alert = rendered.alert
        var notice = alert.notice
        notice.deviceName = notice.deviceName?.cut(toBytes: Self.longestName)
        let words = notice.message(in: alert.language)
        let isCalm = alert.purpose.known == .recovery || alert.purpose.known == .ended || alert.kind.known == .test
        self.init(
            id: rendered.id, title: words.title, body: words.body,
            link: origin.map { "\($0.text)/alerts/\(alert.name.text)" },
            urgency: isCalm ? .low : alert.content.range?.isCritical == true ? .critical : .high,
            time: alert.decidedAt.microseconds / 1_000_000)
    }
}
