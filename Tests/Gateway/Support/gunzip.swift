import Foundation
import TestSupport

/// Decompresses a gzip stream with an ordinary tool.
func gunzip(_ bytes: [UInt8]) async throws -> [UInt8] {
    try await Paths.withTemporaryDirectory { directory in
        let (packed, plain) = (directory.appending(path: "a.gz"), directory.appending(path: "a"))
        try Data(bytes).write(to: packed)
        try await ProcessUnderTest.run("/bin/gzip", ["--decompress", packed.path(percentEncoded: false)])
        return Array(try Data(contentsOf: plain))
    }
}
