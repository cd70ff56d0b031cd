import PushTargets

/// The address of a person's server, as far as the service's own paths are put behind it.
struct ServerAddress: Hashable, Sendable {
    /// In one spelling, without a slash at its end.
    let url: String

    static let pattern = "https?://[!-~]+"

    /// - Throws: `ServiceFault` for a text that is no such address.
    init(_ values: ServiceValues) throws(ServiceFault) {
        guard let text = values[.server] else { throw ServiceFault(.server, .missing) }
        let target: PushTarget
        do {
            target = try PushTarget(text)
        } catch {
            throw ServiceFault(.server, .target(error))
        }
        guard !target.url.contains("?") else { throw ServiceFault(.server, .malformed) }
        var url = target.url[...]
        while url.hasSuffix("/") { url = url.dropLast() }
        self.url = String(url)
    }
}

extension ServiceValues {
    /// - Throws: `ServiceFault` where it is missing.
    func required(_ name: ServiceField.Name) throws(ServiceFault) -> String {
        guard let value = self[name] else { throw ServiceFault(name, .missing) }
        return value
    }
}

extension String {
    /// Percent-encoded for a part of a path, a query or a form: all but letters, digits, `-`, `.`, `_` and `~` (RFC 3986, section 2.3).
    var percentEncoded: String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(
            decoding: utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"):
                    [byte]
                default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
            }, as: UTF8.self)
    }
}
