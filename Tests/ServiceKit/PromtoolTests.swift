import Foundation
import ServiceKit
import Testing

/// Prometheus's own checker, where its package is installed.
private let promtool: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
    .split(separator: ":").map { "\($0)/promtool" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

@Suite struct PromtoolTests {
    @Test(.enabled(if: promtool != nil, "promtool is not installed (Debian package prometheus)"))
    func acceptsWhatWeRender() throws {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: try #require(promtool))
        process.arguments = ["check", "metrics"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(exampleRegistry().render().utf8))
        try input.fileHandleForWriting.close()
        let complaints = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: complaints, as: UTF8.self) == "")
        #expect(process.terminationStatus == 0)
    }
}
