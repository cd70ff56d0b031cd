import Crypto
import HTTPTypes
import Routes

/// The web app: all of its files in memory, as they are sent.
package struct WebApp: Sendable {
    private let files: [String: AppFile]
    private let index: AppFile
    /// Names the files' contents and their policy: another after any change.
    package let version: String

    /// Reads the app from its folder.
    /// - Parameter tiles: The map's, which the app may then load.
    package init(folder: String, tiles: MapTiles? = nil, look: AppLook = .product) throws(AppFault) {
        try self.init(files: try AppFolder.read(folder), tiles: tiles, look: look)
    }

    /// - Parameter files: The contents by their paths.
    init(files sources: [String: [UInt8]], tiles: MapTiles? = nil, look: AppLook = .product) throws(AppFault) {
        let contents: [String: [UInt8]]
        do { contents = try AppPacking.packed(sources, look: look) } catch { throw .unpackable(error) }
        let policy = AppFile.policy(pictures: tiles?.origin)
        let version = Self.version(of: contents, policy)
        self.version = version
        var files: [String: AppFile] = [:]
        for (path, content) in contents {
            guard let type = AppMediaType(path: path) else { throw .type(path: path) }
            if path == look.logo?.path {
                files[path] = AppFile(content, type, policy: BrandLogo.policy, kept: .forEver)
                continue
            }
            let bytes = path == Self.worker ? Self.preface(version, contents.keys, look) + content : content
            files[path] = AppFile(
                bytes, type, policy: type.isDocument || path == Self.worker ? policy : nil,
                kept: path.hasPrefix("/icons/") ? .day : .asked)
        }
        guard let index = files.removeValue(forKey: "/index.html") else { throw .noIndex }
        self.files = files
        self.index = index
    }

    /// The file for a request; nil when there is none, and for what belongs to the API.
    ///
    /// The app's own paths are all answered with its shell, which shows the screen of the path; so is what a person typed
    /// or was sent as a link, but not what a page asks for.
    func file(for request: HTTPRequest, path: Substring) -> AppFile? {
        if path == "/" || path == "/index.html" { return index }
        if let file = files[String(path)] { return file }
        guard path.hasPrefix("/"), path != "/api", !path.hasPrefix("/api/"), !path.hasPrefix("/ogc/"),
            !path.hasPrefix("/sta/"),
            !(path.split(separator: "/").last ?? "").contains(".")
        else { return nil }
        let accepted = request.headerFields[values: .accept].joined(separator: ",").lowercased()
        return accepted.contains("text/html") ? index : nil
    }

    // MARK: The service worker

    private static let worker = "/sw.js"

    /// The files that the service worker keeps on the device, their cache's name, and the look of notifications.
    private static func preface(_ version: String, _ paths: some Sequence<String>, _ look: AppLook) -> [UInt8] {
        let kept = paths.filter { $0 != worker }.map { $0 == "/index.html" ? "/" : $0 }.sorted()
        let build = JSON.object(
            [.init("version", .string(version)), .init("files", .array(kept.map { .string($0) }))] + look.worker)
        return Array("const BUILD = ".utf8) + build.bytes + Array(";\n".utf8)
    }

    /// A device keeps files with the policy that they came with: another policy is another version too.
    private static func version(of files: [String: [UInt8]], _ policy: String) -> String {
        var hash = SHA256()
        hash.update(data: Array("\(policy)\n".utf8))
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            hash.update(data: Array("\(path) \(content.count)\n".utf8))
            hash.update(data: content)
        }
        return hash.finalize().prefix(12).hexadecimal
    }
}

extension Sequence<UInt8> {
    /// Two digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
