import FoundationEssentials
import PushClient
import PushTargets
import WaterQuality

/// An incoming webhook as Slack has it, and as Mattermost, Rocket.Chat and Discord take it too: an address, which is the secret.
struct SlackCompatible: WebService {
    static let channel = Endpoint.Channel.slack
    static let name = "Slack"
    static let fields = [
        ServiceField(
            .address, pattern: ServerAddress.pattern, isSecret: true,
            example: "https://hooks.slack.com/services/T000/B000/XXXX")
    ]

    let identity: String
    /// Messages are counted by the incoming webhook.
    var credential: String? { identity }
    static let publicHosts = discordHosts.union(["hooks.slack.com"])

    private static let discordHosts: Set = ["discord.com", "discordapp.com"]

    init(_ values: ServiceValues) throws(ServiceFault) {
        let target: PushTarget
        do {
            target = try PushTarget(try values.required(.address))
        } catch let fault as PushTargetFault {
            throw ServiceFault(.address, .target(fault))
        } catch {
            throw ServiceFault(.address, .missing)
        }
        // Discord takes Slack's form at an address of its own below the webhook's.
        let isDiscord = Self.discordHosts.contains(target.host)
        identity = isDiscord && !target.url.hasSuffix("/slack") ? "\(target.url)/slack" : target.url
    }

    func request(for message: ServiceMessage) throws -> ServiceRequest {
        // Slack's control characters; a device's name calls nobody (<!channel>).
        let text = message.lines
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return try .json(identity, ["text": text])
    }

    /// A webhook that was deleted is gone for good; others that are not found may come back.
    static func answer(to reply: PushReply) -> PushAnswer {
        struct Refusal: Decodable { var code: Int? }
        guard case .response(404, _) = reply.answer, let body = reply.body else { return reply.answer }
        // Slack's text, and Discord's code of an unknown webhook.
        let isGone =
            body == Array("no_service".utf8)
            || (try? JSONDecoder().decode(Refusal.self, from: Data(body)))?.code == 10015
        return isGone ? .response(status: 410) : reply.answer
    }
}
