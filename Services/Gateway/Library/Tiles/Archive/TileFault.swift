/// The reason why a map's file, or a tile of it, cannot be read.
enum TileFault: Error, Hashable, Sendable {
    enum Part: String, Sendable {
        case header, metadata, directory, tile
    }

    case unreadable(String)
    case noFile
    case noArchive
    case version(UInt8)
    /// Something else than pictures that all browsers show.
    case content(String)
    case compression(Part)
    case levels
    /// A part that goes on where the file has ended.
    case cutOff(Part)
    case tooLarge(Part)
    case broken(Part)
    /// Directories that lead to directories without end.
    case nested
    /// Written to while it was read.
    case changed
    case unattributed

    /// Whether another version of the file is needed; otherwise the same one may do later.
    var isOfContent: Bool {
        switch self {
        case .unreadable, .noFile, .changed: false
        default: true
        }
    }

    /// The end of the sentence "names a file, which ...".
    var story: String {
        switch self {
        case .unreadable(let reason): "cannot be read (\(reason))"
        case .noFile: "is not a regular file"
        case .noArchive: "is no PMTiles archive"
        case .version(let version): "is a PMTiles archive of version \(version), and version 3 is read"
        case .content(let name): "holds \(name), and a map here is made of PNG, JPEG or WebP"
        case .compression(let part): "has a \(part.rawValue) in another compression than gzip"
        case .levels: "has levels that no map has"
        case .cutOff(let part): "ends before its \(part.rawValue) does"
        case .tooLarge(let part): "has a \(part.rawValue) larger than any of use"
        case .broken(let part): "has a \(part.rawValue) that cannot be read"
        case .nested: "has directories that lead to no tile"
        case .changed: "was written to while it was read"
        case .unattributed: "does not name its authors"
        }
    }
}
