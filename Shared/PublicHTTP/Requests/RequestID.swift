import FoundationEssentials

/// The id under which a request is found again in the logs; people read it in `X-Request-Id`.
package enum RequestID {
    /// A proxy in front may have named the request already, in its own logs too.
    package static func taken(from header: String?) -> String? {
        guard let header, (8...64).contains(header.utf8.count) else { return nil }
        let isPlain = header.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain ? header : nil
    }

    package static func random() -> String { UUID().uuidString.lowercased() }
}
