import HTTPTypes
import Routes
import Secrets
import Store
import WaterQuality

extension Output where Value == PersonProject {
    static let project = Output.object(
        "Project", "A project in which the person takes part.",
        [
            .member("id", .text, "Its id.", example: "42") { "\($0.id.rawValue)" },
            .member("name", .text, "Its name.", example: "Koi Farm") { $0.name },
            .member("role", .choice(Word<ProjectRole>.self), "The person's role in it.", example: "administrator") {
                $0.role
            },
            .member("until", .optional(of: .timestamp), "When the person's part in it ends; null: it does not.") {
                $0.until
            },
            .member("devices", .integer, "How many devices it has.", example: 48) { Int($0.devices) },
            .member("members", .integer, "How many people take part.", example: 5) { Int($0.members) },
            .member("version", .integer, "Counts the changes of its name.", example: 1) { Int($0.version) },
        ])
}

extension PersonProject {
    var tag: EntityTag { EntityTag(version: Int64(version)) }

    func answer(_ status: HTTPResponse.Status? = nil) -> Answer<PersonProject> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }

    func created() -> Answer<PersonProject> {
        var answer = answer()
        answer.headers[.location] = "\(GatewayAPI.base)/projects/\(id.rawValue)"
        return answer
    }
}

extension Output where Value == ListMembers.Row {
    static let member = Output.object(
        "Member", "Somebody who takes part in a project.",
        [
            .member("id", .text, "By what the others know them here.", example: "7") { "\($0.member)" },
            .member("name", .text, "How others see them.", example: "Lee") { $0.name },
            .member("role", .choice(Word<ProjectRole>.self), "Their role.", example: "keeper") { $0.role },
            .member("since", .timestamp, "When they joined.") { $0.joinedAt },
            .member("until", .optional(of: .timestamp), "When their part ends; null: it does not.") { $0.until },
            .member("isMe", .boolean, "Whether it is the person who asks.", example: false) { $0.isOneself },
        ])
}

extension Output where Value == ListProjectInvitations.Row {
    static let projectInvitation = Output.object(
        "ProjectInvitation", "An offer to take part in a project.",
        [
            .member("id", .id, "The id of the invitation; not the secret of its link.") { $0.id },
            .member("role", .choice(Word<ProjectRole>.self), "The role that it offers.", example: "keeper") { $0.role },
            .member("until", .optional(of: .timestamp), "When the part that it offers ends; null: it does not.") {
                $0.until
            },
            .member("state", .choice(DeviceInvitation.State.self), "Whether it can still be taken up.") { $0.state },
            .member("createdAt", .timestamp, "When it was made.") { $0.createdAt },
            .member("expiresAt", .timestamp, "Until when it can be taken up.") { $0.expiresAt },
        ])
}

extension Output where Value == MadeProjectInvitation {
    static let madeProjectInvitation = Output.object(
        "MadeProjectInvitation", "An invitation with its link, which is shown this once.",
        [
            .member("invitation", .projectInvitation, "The invitation.") { $0.invitation },
            .member(
                "token", .text, "The secret of the link.",
                example: "aqj_0000000000000000000000000000000000000000000000000"
            ) { $0.token.text },
            .member(
                "link", .text, "What to send to the person who is invited. Whoever has it first can take it up.",
                example: "https://water.example/join#aqj_0000000000000000000000000000000000000000000000000"
            ) { $0.link },
        ])
}

extension Output where Value == LookAtProjectInvitation.Row {
    static let projectOffer = Output.object(
        "ProjectOffer", "What an invitation offers to whoever has its link.",
        [
            .member("name", .text, "The name of the project.", example: "Koi Farm") { $0.name },
            .member("by", .text, "Who invites.", example: "Ana") { $0.maker },
            .member("role", .choice(Word<ProjectRole>.self), "The role that it offers.", example: "keeper") { $0.role },
            .member("until", .optional(of: .timestamp), "When the part that it offers ends; null: it does not.") {
                $0.until
            },
            .member("devices", .integer, "How many devices the project has.", example: 48) { Int($0.devices) },
            .member("state", .choice(DeviceInvitation.State.self), "Whether it can still be taken up.") { $0.state },
            .member("expiresAt", .timestamp, "Until when it can be taken up.") { $0.expiresAt },
        ])
}
