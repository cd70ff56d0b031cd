package import Foundation

/// The paths of the sources, and of the executables built with the tests.
package enum Paths {
    package static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The directory of this package's executables, where the running test executable is too.
    package static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// An executable of this package: from the directory `AQUA_PROGRAMS` if it is there, such as of a release build.
    static func program(_ name: String) -> URL {
        guard let other = ProcessInfo.processInfo.environment["AQUA_PROGRAMS"] else {
            return products.appending(path: name)
        }
        let program = URL(filePath: other).appending(path: name)
        let isThere = FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false))
        return isThere ? program : products.appending(path: name)
    }

    /// A Python with the packages of `Tests/Tools/requirements.txt`, the independent verifiers.
    package static let python =
        ProcessInfo.processInfo.environment["AQUA_TEST_PYTHON"]
        ?? repository.appending(path: ".build/test-venv/bin/python").path(percentEncoded: false)

    /// A Python with the packages of `Tests/Standards/ogctests.txt`.
    package static let ogcPython =
        ProcessInfo.processInfo.environment["AQUA_OGC_PYTHON"]
        ?? repository.appending(path: ".build/ogc-venv/bin/python").path(percentEncoded: false)

    /// Makes a directory for `body`, and removes it afterwards.
    package static func withTemporaryDirectory<Result>(
        _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "aqua-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        return try await body(directory)
    }
}
