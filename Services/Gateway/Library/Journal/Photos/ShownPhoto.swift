import Crypto
import HTTPTypes
import Postgres
import Routes

/// A photo without its picture.
struct ShownPhoto: Sendable {
    var photo: JournalItem.Photo
    var digest: [UInt8]

    /// The picture never changes, so its digest is its version.
    var tag: EntityTag { EntityTag(picture: digest) }

    func isOf(_ image: CleanImage) -> Bool { digest == Array(SHA256.hash(data: image.bytes)) }

    static let output = JournalItem.photo.map { (shown: ShownPhoto) in shown.photo }

    func answer(_ status: HTTPResponse.Status) -> Answer<ShownPhoto> {
        .value(self, status: status, headers: [.eTag: tag.description])
    }
}

/// A picture as it is sent.
struct PhotoContent: Sendable {
    var type: String
    var digest: [UInt8]
    var isSmall: Bool
    /// Whether it is sent in place of the small picture, which has not come yet.
    var isInPlace: Bool
    var content: [UInt8]

    func headers(_ id: JournalPhotoID) -> HTTPFields {
        HTTPFields(
            ofPicture: type, named: "\(id)\(isSmall ? "-small" : "")", EntityTag(picture: digest, isSmall: isSmall),
            cacheControl: isInPlace ? "private, no-cache" : "private, max-age=31536000, immutable")
    }
}
