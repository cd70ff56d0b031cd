import HTTPTypes
import Routes

extension HTTPFields {
    /// The fields of a picture, which is a stranger's bytes that no browser takes for anything else, nor runs.
    /// - Parameter name: What it is called where it is kept, without the end that says its type.
    init(ofPicture type: String, named name: String, _ tag: EntityTag, cacheControl: String) {
        self = [
            .contentType: type,
            .contentDisposition: "inline; filename=\"\(name).\(ImageType(rawValue: type)?.fileExtension ?? "bin")\"",
            .contentSecurityPolicy: "sandbox; default-src 'none'; frame-ancestors 'none'",
            .cacheControl: cacheControl, .eTag: tag.description,
        ]
    }
}

extension EntityTag {
    /// The version of a picture, by its SHA-256.
    init(picture digest: [UInt8], isSmall: Bool = false) {
        self.init(Self.name(ofPicture: digest) + (isSmall ? "-small" : ""))
    }

    /// By what two pictures differ, without quotes.
    static func name(ofPicture digest: [UInt8]) -> String { Base64URL.text(Array(digest.prefix(16))) }
}
