import Glibc

/// A file that holds an archive, open for reading at any place.
final class TileFile: TileSource {
    /// A version of a file: another one stands there once it is replaced or written to.
    struct Stamp: Hashable, Sendable {
        let device: UInt64
        let file: UInt64
        let size: UInt64
        let seconds: Int
        let nanoseconds: Int

        fileprivate init(_ status: stat) {
            device = UInt64(status.st_dev)
            file = UInt64(status.st_ino)
            size = UInt64(max(0, status.st_size))
            seconds = Int(status.st_mtim.tv_sec)
            nanoseconds = Int(status.st_mtim.tv_nsec)
        }

        /// The version that stands at a path; nil where there is none.
        static func of(_ path: String) -> Stamp? {
            var status = stat()
            return stat(path, &status) == 0 ? Stamp(status) : nil
        }
    }

    let stamp: Stamp
    private let descriptor: Int32

    var size: UInt64 { stamp.size }

    init(_ path: String) throws(TileFault) {
        // Whatever waits for a writer, such as a pipe, is not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .noFile
        }
        self.descriptor = descriptor
        stamp = Stamp(status)
    }

    deinit { close(descriptor) }

    /// - Throws: `TileFault.changed` where somebody writes to the file, since parts of two versions fit nowhere.
    func read(_ part: TileFault.Part, at offset: UInt64, count: Int) throws(TileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let taken = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, count - done, Int(clamping: offset) + done)
            }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw Self.unreadable }
            guard taken > 0 else { throw .cutOff(part) }
            done += taken
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Stamp(status) == stamp else { throw .changed }
        return bytes
    }

    private static var unreadable: TileFault { .unreadable(String(cString: strerror(errno))) }
}
