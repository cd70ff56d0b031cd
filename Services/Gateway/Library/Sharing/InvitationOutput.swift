import Routes
import Secrets
import Store
import WaterQuality

/// An invitation with the secret of its link, which is shown once.
struct MadeInvitation: Sendable {
    let invitation: DeviceInvitation
    let token: WatchInvitation
    let link: String
}

extension OutputMember where Value == DeviceInvitation {
    fileprivate static var all: [OutputMember] {
        [
            .member("id", .text, "By what the owner knows it.", example: "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e") {
                $0.id.description
            },
            .member("state", .choice(DeviceInvitation.State.self), "Whether it can still be taken up.") { $0.state },
            .member("createdAt", .timestamp, "When it was made.") { $0.createdAt },
            .member("expiresAt", .timestamp, "Until when it can be taken up.") { $0.expiresAt },
            .member(
                "readings", .choice(Word<DeviceInvitation.Readings>.self),
                "From when on whoever takes it up sees readings."
            ) { $0.readings },
        ]
    }
}

extension Output where Value == DeviceInvitation {
    static let invitation = Output.object("Invitation", "An owner's offer to watch a device.", OutputMember.all)
}

extension Output where Value == MadeInvitation {
    static let madeInvitation = Output.object(
        "MadeInvitation", "An invitation with its link, which is shown this once.",
        [
            .member("invitation", .invitation, "The invitation.") { $0.invitation },
            .member(
                "token", .text, "The secret of the link.",
                example: "aqw_0000000000000000000000000000000000000000000000000"
            ) { $0.token.text },
            .member(
                "link", .text, "What to send to the person who is invited. Whoever has it first can take it up.",
                example: "https://water.example/join#aqw_0000000000000000000000000000000000000000000000000"
            ) { $0.link },
        ])
}

extension Output where Value == LookAtInvitation.Row {
    static let offer = Output.object(
        "Offer", "What an invitation offers to whoever has its link.",
        [
            .member("deviceName", .text, "The owner's name for the device.", example: "Garden pond") { $0.deviceName },
            .member("state", .choice(DeviceInvitation.State.self), "Whether it can still be taken up.") { $0.state },
            .member("expiresAt", .timestamp, "Until when it can be taken up.") { $0.expiresAt },
        ])
}

extension Output where Value == ListWatchers.Row {
    static let watcher = Output.object(
        "Watcher", "Somebody who watches a device of the person's.",
        [
            .member("id", .text, "By what the owner knows them here.", example: "42") { "\($0.ownership)" },
            .member("name", .text, "How others see them.", example: "Lee") { $0.name },
            .member("since", .timestamp, "When they joined.") { $0.joinedAt },
        ])
}
