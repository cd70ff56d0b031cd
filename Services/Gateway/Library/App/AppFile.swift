import Crypto
import HTTPTypes
import NIOCore
import Routes

/// One file of the app, ready to be sent: as it is, and compressed where that saves something.
struct AppFile: Sendable {
    private let plain: [UInt8]
    /// The least first.
    private let compressed: [(coding: ContentCoding, bytes: [UInt8])]
    private let headers: HTTPFields
    private let tag: String

    /// The time for which browsers keep a file.
    enum Keeping: String, Sendable {
        /// Asked for again each time, and then mostly not sent again: a device never mixes two versions for long.
        case asked = "no-cache"
        case day = "public, max-age=86400"
        /// The path changes with the contents.
        case forEver = "public, max-age=31536000, immutable"
    }

    /// - Parameter policy: The Content-Security-Policy of a document or of the service worker; `nil` for other files. For
    ///   scripts and styles it would be the longer part of the answer, and browsers do not look at it there.
    init(_ bytes: [UInt8], _ type: AppMediaType, policy: String?, kept: Keeping = .asked) {
        plain = bytes
        compressed = type.isCompressible ? Self.compressed(bytes) : []
        // What a browser keeps, it keeps with its policy.
        tag = SHA256.hash(data: bytes + (policy ?? "").utf8).prefix(12).hexadecimal
        var headers: HTTPFields = [
            .contentType: type.text,
            .cacheControl: kept.rawValue,
        ]
        if let policy {
            headers[.contentSecurityPolicy] = policy
            headers[.crossOriginOpenerPolicy] = "same-origin"
            headers[.permissionsPolicy] =
                "camera=(self), geolocation=(self), microphone=(), payment=(), serial=(self), usb=()"
        }
        if !compressed.isEmpty { headers[.vary] = "Accept-Encoding" }
        self.headers = headers
    }

    /// Scripts, styles and data from this origin alone; nothing inline, and no text becomes a script: the one policy with
    /// which the app vouches for the address of its service worker is named.
    /// - Parameter pictures: The one other origin from which pictures may come.
    static func policy(pictures: String?) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
            "img-src 'self'" + (pictures.map { " " + $0 } ?? ""), "manifest-src 'self'", "worker-src 'self'",
            "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
            "trusted-types aqua",
        ].joined(separator: "; ")
    }

    func answer(to request: HTTPRequest) -> RawAnswer {
        var headers = headers
        let sent: [UInt8]
        let accepted = request.headerFields[values: .acceptEncoding]
        if let (coding, bytes) = compressed.first(where: { accepts($0.coding, accepted) }) {
            // A tag names the bytes as they are sent.
            headers[.eTag] = "\"\(tag)-\(coding.rawValue)\""
            headers[.contentEncoding] = coding.rawValue
            sent = bytes
        } else {
            headers[.eTag] = "\"\(tag)\""
            sent = plain
        }
        if isKnown(request.headerFields[values: .ifNoneMatch]) {
            headers[.contentType] = nil
            headers[.contentEncoding] = nil
            return RawAnswer(status: .notModified, headers: headers, body: .none)
        }
        return RawAnswer(status: .ok, headers: headers, body: .bytes(sent))
    }

    /// The forms that save something.
    private static func compressed(_ bytes: [UInt8]) -> [(coding: ContentCoding, bytes: [UInt8])] {
        let gzip = Array(buffer: Gzip(level: 9).finish(ByteBuffer(bytes: bytes)))
        let forms: [(coding: ContentCoding, bytes: [UInt8])] =
            (Brotli.compressed(bytes).map { [(.brotli, $0)] } ?? []) + [(.gzip, gzip)]
        return forms.filter { $0.bytes.count < bytes.count }.sorted { $0.bytes.count < $1.bytes.count }
    }

    /// Whether the client has these contents, in any form (RFC 9110 §13.1.2: compared weakly).
    private func isKnown(_ values: [String]) -> Bool {
        values.flatMap { $0.split(separator: ",") }.contains { item in
            var text = item.drop { $0 == " " }
            while text.last == " " { text.removeLast() }
            if text == "*" { return true }
            if text.hasPrefix("W/") { text = text.dropFirst(2) }
            return text == "\"\(tag)\"" || compressed.contains { text == "\"\(tag)-\($0.coding.rawValue)\"" }
        }
    }
}

extension HTTPField.Name {
    private static func own(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a field name") }
        return name
    }

    fileprivate static let crossOriginOpenerPolicy = own("Cross-Origin-Opener-Policy")
    fileprivate static let permissionsPolicy = own("Permissions-Policy")
}
