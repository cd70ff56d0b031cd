import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Operator

/// Text from strangers reaches the operator's terminal spelled out.
@Suite struct ConsoleTests {
    private struct Names: Report {
        var names: [String]
        var text: String { names.joined(separator: "\n") }
    }

    private func shown(_ body: (Console) throws -> Void) rethrows -> String {
        let written = Mutex("")
        let console = Console(
            output: { text in written.withLock { $0 += text } },
            complaints: { text in written.withLock { $0 += text } },
            passwords: { _ in nil })
        try body(console)
        return written.withLock(\.self)
    }

    private static let names = [
        "\u{1B}[2J\u{9B}31m", "\u{202E}dnop", "po\u{200B}nd", "\u{E0041}", "池 👨\u{200D}👩\u{200D}👧",
    ]

    @Test func nothingIsObeyedOrHidden() throws {
        let text = try shown { try $0.show(Names(names: Self.names), json: false) }
        #expect(
            text == "\\u{1B}[2J\\u{9B}31m\n\\u{202E}dnop\npo\\u{200B}nd\n\\u{E0041}\n池 👨\u{200D}👩\u{200D}👧\n")
        #expect(shown { $0.complain("no device \u{202E}x") } == "no device \\u{202E}x\n")
    }

    @Test func programsReadTheSameNames() throws {
        for isPretty in [true, false] {
            let text = try shown { console in
                if isPretty {
                    try console.show(Names(names: Self.names), json: true)
                } else {
                    var options = OutputOptions()
                    options.json = true
                    try console.showLine(Names(names: Self.names), options)
                }
            }
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            #expect(!text.contains("\u{202E}"))
            let read = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String]])
            #expect(read["names"] == Self.names)
        }
    }
}
