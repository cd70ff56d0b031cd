import HTTPTypes
import Postgres
import Routes
import Store

/// Routes of what a person left in tanks of others that they do not see any more: shown to them, and theirs to remove.
enum FormerTankRoutes {
    static let all = [list, picture, remove]

    private static let before = JournalInputs.before("listFormerWords")
    private static let source = Input<FormerWords.Source>.path(
        "source", .choice(FormerWords.Source.self), "Where it is, as the list says.")
    private static let left = Input<JournalEntryID>.path("left", .id, "The id that the list says.")

    private static let list = Route<Caller>(
        .get, "/former-tanks", id: "listFormerWords", tag: JournalRoutes.tag.name, access: .read,
        "List what the person wrote and pictured in tanks that they do not see any more",
        text: "Of tanks that were shared with them. Newest first; of what others wrote there they see nothing.",
        inputs: [JournalInputs.limit, before], answers: .json(.ok, .page(of: words))
    ) { caller, inputs in
        let (place, limit) = (inputs[before]?.place ?? .newest, inputs[JournalInputs.limit])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rows = try transaction.execute(PageFormerWords(below: place, limit: limit + 1)).compactMap(\.self)
            return .value(
                Page(rows, limit: limit, of: "listFormerWords") {
                    JournalCursor(PageJournal.Place(at: $0.at, id: $0.id))
                })
        }
    }

    private static let picture = Route<Caller>(
        .get, "/former-tanks/{source}/{left}/picture", id: "showFormerPhoto", tag: JournalRoutes.tag.name,
        access: .read, "Show a photo that the person added to a tank that they do not see any more",
        text: "Of the source photo.",
        inputs: [source, left], answers: .file("image/*", "The picture.", headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (source, photo) = (inputs[source], JournalPhotoID(rawValue: inputs[left].rawValue))
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            guard source == .photo, let read = try transaction.execute(ReadFormerPhoto(photo: photo)).first else {
                throw Problem(.notFound)
            }
            return .value(read.content, headers: read.headers(photo))
        }
    }

    private static let remove = Route<Caller>(
        .delete, "/former-tanks/{source}/{left}", id: "removeFormerWords", tag: JournalRoutes.tag.name,
        access: .fresh, "Remove what the person wrote or pictured in a tank that they do not see any more",
        text: """
            Nobody can write it there anew. An entry goes with its photos. Of samples, tests by hand, calibrations, lists and reminders, which the \
            tank's people go on by, the words go and the rest stays.
            """,
        inputs: [source, left], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let remove = RemoveFormerWords(source: inputs[source], id: inputs[left])
        return try await caller.scope.transaction { transaction, _ in
            guard try transaction.execute(remove).first == true else { throw Problem(.notFound) }
            return .nothing
        }
    }

    private static let words = Output<FormerWords>.object(
        "FormerWords", "Something that a person left in a tank that they do not see any more.",
        [
            .member("source", .choice(FormerWords.Source.self), "Where it is.", example: "entry") { $0.source },
            .member("id", .id, "Its id.") { $0.id },
            .member("device", .text, "The device in whose tank it is.", example: "pond-1") { $0.device },
            .member("at", .timestamp, "When it happened, or was added.") { $0.at },
            .member("words", .optional(of: .text), "The words; null: a photo, or an entry without any.") { $0.words },
        ])
}
