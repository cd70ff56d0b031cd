import CZlib

/// Unpacks a gzip member (RFC 1952) into a bounded number of bytes: a kilobyte can hold a megabyte.
enum Gunzip {
    /// - Parameters:
    ///   - most: The most bytes that are unpacked.
    ///   - part: The part of an archive that it is, for the fault.
    /// - Throws: `TileFault.tooLarge` beyond `most`, `TileFault.broken` for what is no whole gzip member and nothing beside it.
    static func unpacked(_ packed: [UInt8], most: Int, _ part: TileFault.Part) throws(TileFault) -> [UInt8] {
        // zlib remembers the address of its stream.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        // 15 bits of window, and 16 for gzip's header alone.
        let begun = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib gets its memory, or the process is lost anyway")
        defer { inflateEnd(stream) }
        var input = packed
        var unpacked: [UInt8] = []
        let code = input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            return run(stream, most: most, into: &unpacked)
        }
        guard unpacked.count <= most else { throw .tooLarge(part) }
        guard code == Z_STREAM_END, stream.pointee.avail_in == 0 else { throw .broken(part) }
        return unpacked
    }

    /// - Returns: zlib's last code; `Z_BUF_ERROR` where the bytes end before the member does.
    private static func run(
        _ stream: UnsafeMutablePointer<z_stream>, most: Int, into unpacked: inout [UInt8]
    ) -> Int32 {
        var chunk = [UInt8](repeating: 0, count: 32_768)
        while true {
            let code = chunk.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return inflate(stream, Z_NO_FLUSH)
            }
            unpacked += chunk[..<(chunk.count - Int(stream.pointee.avail_out))]
            guard code == Z_OK, unpacked.count <= most else { return code }
        }
    }
}
