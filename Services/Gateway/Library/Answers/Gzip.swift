import CZlib
import NIOCore

/// A gzip stream (RFC 1952), compressed as it is written.
///
/// Not Sendable: its owner feeds it from one task.
final class Gzip {
    private var stream = z_stream()

    /// - Parameter level: Level 5 costs half of level 6 and compresses nearly as well; 9 is for what is compressed once.
    init(level: Int32 = 5) {
        // 15 bits of window, and 16 for gzip's header instead of zlib's.
        let code = deflateInit2_(
            &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)
        )
        precondition(code == Z_OK, "zlib gets its memory, or the process is lost anyway")
    }

    deinit { deflateEnd(&stream) }

    /// The output for these bytes; possibly nothing yet.
    func compress(_ bytes: ByteBuffer) -> ByteBuffer { run(bytes, Z_NO_FLUSH) }

    /// Flushes everything put in, so that a reader sees it now.
    func flush(_ bytes: ByteBuffer = ByteBuffer()) -> ByteBuffer { run(bytes, Z_SYNC_FLUSH) }

    /// The last bytes and the end of the stream.
    func finish(_ bytes: ByteBuffer = ByteBuffer()) -> ByteBuffer { run(bytes, Z_FINISH) }

    private func run(_ bytes: ByteBuffer, _ mode: Int32) -> ByteBuffer {
        var input = bytes
        var output = ByteBuffer()
        input.withUnsafeMutableReadableBytes { readable in
            stream.next_in = readable.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_in = UInt32(readable.count)
            let bound = Int(deflateBound(&stream, UInt(readable.count))) + 16
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { writable in
                    stream.next_out = writable.baseAddress?.assumingMemoryBound(to: UInt8.self)
                    stream.avail_out = UInt32(writable.count)
                    _ = deflate(&stream, mode)
                    return writable.count - Int(stream.avail_out)
                }
            } while stream.avail_out == 0
            stream.next_in = nil
        }
        return output
    }
}
