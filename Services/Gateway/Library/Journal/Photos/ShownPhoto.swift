import Crypto
import HTTPTypes
import Postgres
import Routes

/// A photo without its picture.
struct ShownPhoto: Sendable {
    var photo: JournalItem.Photo
    var digest: [UInt8]

    /// The picture never changes, so its digest is its version.
    var tag: EntityTag { EntityTag(photoDigest: digest) }

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

    /// The picture is a stranger's bytes, which no browser takes for anything else, nor runs.
    func headers(_ id: JournalPhotoID) -> HTTPFields {
        let name = "\(id)\(isSmall ? "-small" : "").\(ImageType(rawValue: type)?.fileExtension ?? "bin")"
        return [
            .contentType: type, .contentDisposition: "inline; filename=\"\(name)\"",
            .contentSecurityPolicy: "sandbox; default-src 'none'; frame-ancestors 'none'",
            .cacheControl: isInPlace ? "private, no-cache" : "private, max-age=31536000, immutable",
            .eTag: EntityTag(photoDigest: digest, isSmall: isSmall).description,
        ]
    }
}

extension EntityTag {
    /// The version of a picture, by the SHA-256 of the whole one.
    fileprivate init(photoDigest: [UInt8], isSmall: Bool = false) {
        self.init(Base64URL.text(Array(photoDigest.prefix(16))) + (isSmall ? "-small" : ""))
    }
}
