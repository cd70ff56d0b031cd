import Foundation
import NIOCore

extension ByteBuffer {
    /// The text of a member in JSON without white space, found without a parser, which would cost the system's cores as much as the
    /// Notifier does; nil where no member of that name is a text.
    func text(of key: String) -> String? {
        let mark = Array("\"\(key)\":\"".utf8)
        return withUnsafeReadableBytes { bytes in
            var start = 0
            while let base = bytes.baseAddress, start + mark.count < bytes.count,
                let quote = memchr(base + start, Int32(mark[0]), bytes.count - start - mark.count)
            {
                start = UnsafeRawPointer(quote) - base
                guard memcmp(base + start, mark, mark.count) != 0 else {
                    let text = bytes[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
                    return String(decoding: text, as: UTF8.self)
                }
                start += 1
            }
            return nil
        }
    }
}
