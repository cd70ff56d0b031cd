import Glibc

/// Why a folder is not served as the web app.
package enum AppFault: Error, Equatable, Sendable {
    case unreadable(path: String, reason: String)
    case notAFolder(path: String)
    /// Neither a file nor a folder: a link may lead to anything on this machine.
    case link(path: String)
    case name(path: String)
    case type(path: String)
    case tooLarge(path: String)
    case tooMany
    case tooDeep(path: String)
    case noIndex
    case unpackable(PackingFault)

    /// The end of the sentence "names ..., which ...".
    package var story: String {
        switch self {
        case .unreadable(let path, let reason): "cannot be read at \(path) (\(reason))"
        case .notAFolder(let path): "is not a directory at \(path)"
        case .link(let path): "holds \(path), which is neither a file nor a directory"
        case .name(let path): "holds \(path), whose name has characters other than letters, digits, '.', '_' and '-'"
        case .type(let path): "holds \(path), which is of no type that an app has"
        case .tooLarge(let path): "is too large at \(path): files have at most 1 MiB, all together 8 MiB"
        case .tooMany: "holds more than \(AppFolder.mostFiles) files"
        case .tooDeep(let path): "is nested too deeply at \(path)"
        case .noIndex: "holds no index.html"
        case .unpackable(let fault): "holds \(fault.path), which at its line \(fault.line) \(fault.story)"
        }
    }
}

/// Reads the files of the web app, once, when the service starts.
///
/// What is served is what was read then: nobody who may write there later changes what people run, and no request touches the
/// file system.
struct AppFolder {
    static let mostFiles = 1_000
    private static let largest = 1 << 20
    private static let mostBytes = 8 << 20
    private static let deepest = 6

    private let root: String
    private var files: [String: [UInt8]] = [:]
    private var bytes = 0

    /// - Returns: The files' contents by their paths, which begin with a slash. Names that begin with a dot are left out.
    static func read(_ root: String) throws(AppFault) -> [String: [UInt8]] {
        var folder = AppFolder(root: root)
        try folder.descend("", depth: 0)
        return folder.files
    }

    private init(root: String) { self.root = root }

    private mutating func descend(_ path: String, depth: Int) throws(AppFault) {
        guard depth <= Self.deepest else { throw .tooDeep(path: path) }
        for name in try names(path) {
            let inner = "\(path)/\(name)"
            guard name.utf8.allSatisfy(Self.isPlain) else { throw .name(path: inner) }
            var status = stat()
            guard lstat(root + inner, &status) == 0 else { throw unreadable(inner) }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: try descend(inner, depth: depth + 1)
            case S_IFREG: try take(inner)
            default: throw .link(path: inner)
            }
        }
    }

    private func names(_ path: String) throws(AppFault) -> [String] {
        guard let folder = opendir(root + path) else {
            throw errno == ENOTDIR ? .notAFolder(path: shown(path)) : unreadable(path)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
            guard names.count <= Self.mostFiles else { throw .tooMany }
        }
        return names.sorted()
    }

    private mutating func take(_ path: String) throws(AppFault) {
        guard AppMediaType(path: path) != nil else { throw .type(path: path) }
        guard files.count < Self.mostFiles else { throw .tooMany }
        // Whoever exchanges the file for a link in between finds the door closed.
        let file = open(root + path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw unreadable(path) }
        defer { close(file) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let taken = chunk.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw unreadable(path) }
            if taken == 0 { break }
            content += chunk[..<taken]
            guard content.count <= Self.largest, bytes + content.count <= Self.mostBytes else {
                throw .tooLarge(path: path)
            }
        }
        bytes += content.count
        files[path] = content
    }

    private func unreadable(_ path: String) -> AppFault {
        .unreadable(path: shown(path), reason: String(cString: strerror(errno)))
    }

    private func shown(_ path: String) -> String { path.isEmpty ? root : path }

    /// Characters that mean themselves in an address.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
