/// The kinds of files that a web app is made of.
enum AppMediaType: String, CaseIterable {
    case html, css, js, svg, png, json
    case manifest = "webmanifest"

    init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: String(path[path.index(after: dot)...]))
    }

    var text: String {
        switch self {
        case .html: "text/html; charset=utf-8"
        case .css: "text/css; charset=utf-8"
        case .js: "text/javascript; charset=utf-8"
        case .svg: "image/svg+xml"
        case .png: "image/png"
        case .json: "application/json"
        case .manifest: "application/manifest+json"
        }
    }

    /// Whether a browser shows it as a page, in which scripts could run.
    var isDocument: Bool { self == .html || self == .svg }

    /// Pictures are compressed already.
    var isCompressible: Bool { self != .png }
}
