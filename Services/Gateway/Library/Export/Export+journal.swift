import Postgres
import Routes
import Store

extension Export {
    /// Writes what people did for the tanks that are or were the person's, and what the person did for others': as a table, with the lists of what
    /// lives and works there, and each photo as a file. Memory holds one photo at a time.
    func writeJournal(to writer: inout any BodyWriter) async throws {
        try await writeEntries(to: &writer)
        try await writeList("inventory", to: &writer) { _, after, limit in
            ExportInventory(after: after, limit: limit)
        }
        try await writePhotos(to: &writer)
        try await writeFormerTanks(to: &writer)
    }

    /// Of others the table says only that it was not the person.
    private func writeEntries(to writer: inout any BodyWriter) async throws {
        var place = PageJournal.Place.newest
        try await writeTable("journal", JournalTable.columns, to: &writer) {
            let (from, limit) = (place, rows)
            let items = try await page { transaction, _ in
                try transaction.execute(PageJournal(below: from, .init(isTheirs: true), limit: limit))
            }
            place = items.last.map(PageJournal.Place.init) ?? place
            return items.map { JournalTable.line($0, by: $0.by?.isMe == true ? "me" : "somebody else") }
        }
    }

    private func writePhotos(to writer: inout any BodyWriter) async throws {
        var after: PhotoKey?
        while true {
            let (last, limit) = (after, rows)
            let photos = try await page { transaction, _ in
                try transaction.execute(ExportPhotos(after: last, limit: limit))
            }
            for photo in photos {
                // One that was removed meanwhile is left out.
                guard
                    let read = try await page({ transaction, _ in try transaction.execute(ReadPhoto(photo.key)) }).first
                else { continue }
                try await write(photo.key.photo, of: photo.hardwareID, read.type, read.content, to: &writer)
            }
            guard photos.count == limit else { return }
            after = photos.last?.key
        }
    }

    /// The person's own words and pictures in tanks of others that they do not see any more.
    private func writeFormerTanks(to writer: inout any BodyWriter) async throws {
        try await writeList("former-tanks", to: &writer) { _, after, limit in
            ExportFormerTanks(after: after, limit: limit)
        }
        var last = JournalPhotoID(rawValue: 0)
        while true {
            let from = last
            let next = try await page { transaction, _ in try transaction.execute(ReadNextFormerPhoto(after: from)) }
            guard let photo = next.first else { return }
            try await write(photo.photo, of: photo.hardwareID, photo.type, photo.content, to: &writer)
            last = photo.photo
        }
    }

    private func write(
        _ photo: JournalPhotoID, of hardwareID: String, _ type: String, _ content: [UInt8],
        to writer: inout any BodyWriter
    ) async throws {
        let type = ImageType(rawValue: type)?.fileExtension ?? "bin"
        try await writer.write(archive.begin("photos/\(hardwareID)/\(photo).\(type)"))
        try await writer.write(archive.add(content))
        try await writer.write(archive.end())
    }
}
