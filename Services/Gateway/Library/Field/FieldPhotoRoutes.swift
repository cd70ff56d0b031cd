import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the photos of samples, which are kept as those of the journal are.
enum FieldPhotoRoutes {
    static let all = [put] + [show, remove].forProjects()

    private static let path: RoutePath = "/field-samples/{sample}/photos/{picture}"
    private static let sample = FieldSampleInputs.sample
    private static let picture = Input<JournalPhotoID>.path(
        "picture", .id, "The photo's id: a UUID that its client chose.")
    private static let takenAt = Input<Timestamp?>.optionalQuery("takenAt", .timestamp, "When it was taken.")

    private static let put = Route<Caller>(
        .put, path, id: "putFieldPhoto", tag: FieldSampleRoutes.tag, access: .write, "Add a photo to a sample",
        text: """
            As of an entry of the journal: JPEG, PNG or WebP, at most 300 KB and 4096 pixels a side, cleaned of everything beside the picture. A \
            sample has 20 at most, by whoever took it or by the owner. The same again changes nothing; another picture is another photo, and 412 here.
            """,
        inputs: [sample, picture, PhotoRoutes.condition, takenAt],
        answers: .json(.created, ShownPhoto.ofSample, alternatives: [.ok], headers: [.eTag]),
        problems: PhotoRoutes.refusals + [.photosFull, .viewersOnlyLook]
    ) { caller, inputs in
        let (condition, takenAt) = (inputs[PhotoRoutes.condition], inputs[takenAt])
        return try await caller.scope.transaction { transaction, account in
            let key = try transaction.changeableFieldPhoto(inputs[sample], inputs[picture])
            let (photo, isAdded) = try transaction.addPhoto(
                key, condition, caller.body, by: account, takenAt: takenAt)
            return photo.answer(isAdded ? .created : .ok)
        }
    }
    .taking(.image(most: PeopleServer.largestFile))

    private static let show = Route<Caller>(
        .get, path, id: "showFieldPhoto", tag: FieldSampleRoutes.tag, access: .read, "Show a photo of a sample",
        text: "It never changes, so that a client may keep it.", inputs: [sample, picture],
        answers: .file("image/*", "The picture.", headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, photo) = (inputs[sample], inputs[picture])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let key = PhotoKey(tank: try transaction.fieldSample(id).tank, subject: .sample(id), photo: photo)
            guard let read = try transaction.execute(ReadPhoto(key)).first else { throw Problem(.notFound) }
            return .value(read.content, headers: read.headers(photo))
        }
    }

    private static let remove = Route<Caller>(
        .delete, path, id: "removeFieldPhoto", tag: FieldSampleRoutes.tag, access: .write,
        "Remove a photo of a sample", inputs: [sample, picture], answers: .nothing,
        problems: [.notFound, .ownerOnly, .viewersOnlyLook]
    ) { caller, inputs in
        let (id, photo) = (inputs[sample], inputs[picture])
        return try await caller.scope.transaction { transaction, _ in
            let key = try transaction.changeableFieldPhoto(id, photo)
            guard try transaction.execute(RemovePhoto(key)).first == true else { throw Problem(.notFound) }
            return .nothing
        }
    }
}

extension ShownPhoto {
    fileprivate static let ofSample = JournalItem.samplePhoto.map { (shown: ShownPhoto) in shown.photo }
}

extension PostgresTransaction {
    /// The photo of a sample that the person may change.
    fileprivate func changeableFieldPhoto(_ id: FieldSampleID, _ photo: JournalPhotoID) throws -> PhotoKey {
        let found = try fieldSample(id)
        guard found.isOwners || found.author?.isMe == true else { throw Problem(.ownerOnly) }
        return PhotoKey(tank: found.tank, subject: .sample(id), photo: photo)
    }
}
