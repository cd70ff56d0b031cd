import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of photos: added once, cleaned, never decoded and never changed.
enum PhotoRoutes {
    static let all = [put, putSmall] + [show, remove].forProjects()

    private static let path: RoutePath = "/devices/{device}/journal/{entry}/photos/{photo}"
    fileprivate static let photo = Input<JournalPhotoID>.path(
        "photo", .id, "The photo's id: a UUID that its client chose.")
    static let condition = Input<EntityTagCondition?>.ifMatchOfChange

    static let refusals: [ProblemType] = [.notFound, .ownerOnly] + CleanImage.problems

    // MARK: Adding

    private static let put = Route<Caller>(
        .put, path, id: "putJournalPhoto", tag: JournalRoutes.tag.name, access: .write, "Add a photo to an entry",
        text: """
            The body is the picture: JPEG, PNG or WebP, at most 300 KB and 4096 pixels a side, not animated. Everything beside the \
            picture is left out, such as where and with what it was taken, so turn it upright before. An entry has six photos at \
            most, a tank 500, a person 256 MB. The same again changes nothing; another picture is another photo, and 412 here.
            """,
        inputs: [DeviceInputs.device, JournalInputs.entry, photo, condition],
        answers: .json(.created, ShownPhoto.output, alternatives: [.ok], headers: [.eTag]),
        problems: refusals + [.photosFull]
    ) { caller, inputs in
        let condition = inputs[condition]
        return try await caller.scope.transaction { transaction, account in
            let key = try transaction.changeablePhoto(inputs)
            let (photo, isAdded) = try transaction.addPhoto(key, condition, caller.body, by: account)
            return photo.answer(isAdded ? .created : .ok)
        }
    }
    .taking(.image(most: PeopleServer.largestFile))

    private static let putSmall = Route<Caller>(
        .put, "/devices/{device}/journal/{entry}/photos/{photo}/small", id: "putJournalPhotoSmall",
        tag: JournalRoutes.tag.name,
        access: .write, "Add the small picture of a photo",
        text: """
            For lists: the same picture, 320 pixels on its longer side and at most 40 KB. Once; the same again changes nothing. It counts \
            among what a person's photos may take.
            """,
        inputs: [DeviceInputs.device, JournalInputs.entry, photo],
        answers: .json(.ok, ShownPhoto.output, headers: [.eTag]),
        problems: refusals + [.preconditionFailed, .photosFull]
    ) { caller, inputs in
        return try await caller.scope.transaction { transaction, _ in
            let key = try transaction.changeablePhoto(inputs)
            guard let found = try transaction.execute(FindPhoto(key)).first else {
                throw Problem(.notFound)
            }
            let image = try CleanImage(body: caller.body)
            guard try transaction.execute(SetSmallPhoto(key, image)).first == true else {
                throw Problem(.preconditionFailed, headers: [.eTag: found.tag.description])
            }
            return found.answer(.ok)
        }
    }
    .taking(.image(most: 40 * 1024))

    // MARK: Showing

    private enum Size: String, CaseIterable, Sendable { case full, small }
    private static let size = Input<Size>.query(
        "size", .choice(Size.self), default: .full, "small: the one for lists; the whole one while that has not come.")

    private static let show = Route<Caller>(
        .get, path, id: "showJournalPhoto", tag: JournalRoutes.tag.name, access: .read, "Show a photo",
        text: "It never changes, so that a client may keep it.",
        inputs: [DeviceInputs.device, JournalInputs.entry, photo, size],
        answers: .file("image/*", "The picture.", headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (device, entry, id, size) = (
            inputs[DeviceInputs.device], inputs[JournalInputs.entry], inputs[photo], inputs[size]
        )
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let key = PhotoKey(
                tank: try transaction.tank(of: device).key, subject: .entry(entry), photo: id)
            guard let read = try transaction.execute(ReadPhoto(key, isSmall: size == .small)).first else {
                throw Problem(.notFound)
            }
            return .value(read.content, headers: read.headers(id))
        }
    }

    private static let remove = Route<Caller>(
        .delete, path, id: "removeJournalPhoto", tag: JournalRoutes.tag.name, access: .write, "Remove a photo",
        inputs: [DeviceInputs.device, JournalInputs.entry, photo], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        return try await caller.scope.transaction { transaction, _ in
            let key = try transaction.changeablePhoto(inputs)
            guard try transaction.execute(RemovePhoto(key)).first == true else {
                throw Problem(.notFound)
            }
            return .nothing
        }
    }
}

extension PostgresTransaction {
    /// Adds a photo whose subject the person may change; the same again changes nothing.
    /// - Throws: `Problem(.notFound)` for a change of what is not there, and for an id that is somebody else's or of another subject;
    ///   `Problem(.preconditionFailed)` for another picture; those of `CleanImage`.
    func addPhoto(
        _ key: PhotoKey, _ condition: EntityTagCondition?, _ body: [UInt8], by account: Account.ID,
        takenAt: Timestamp? = nil
    ) throws -> (photo: ShownPhoto, isAdded: Bool) {
        var found = try execute(FindPhoto(key)).first
        if found == nil, condition != nil { throw Problem(.notFound) }
        let image = try CleanImage(body: body)
        if found == nil {
            let isAdded = try execute(AddPhoto(key, by: account, image, takenAt: takenAt)).first == true
            found = try execute(FindPhoto(key)).first
            guard let found else { throw Problem(.notFound) }
            if isAdded { return (found, true) }
        }
        guard let found, found.isOf(image) else {
            throw Problem(.preconditionFailed, headers: found.map { [.eTag: $0.tag.description] } ?? [:])
        }
        return (found, false)
    }

    /// The photo that a request names, in an entry that is there and that the person may change.
    fileprivate func changeablePhoto(_ inputs: Inputs) throws -> PhotoKey {
        let tank = try tank(of: inputs[DeviceInputs.device])
        let entry = try journalEntry(inputs[JournalInputs.entry], in: tank)
        try tank.requireRight(isTheirs: entry.by?.isMe == true)
        return PhotoKey(tank: tank.key, subject: .entry(entry.id), photo: inputs[PhotoRoutes.photo])
    }
}
