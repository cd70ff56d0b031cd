import Foundation
import Instants
import Logging
import ServiceKit
import Testing

@Suite struct JSONLogHandlerTests {
    private let log = CapturedLog()

    @Test func writesOneLineInAFixedOrder() {
        log.logger().info("Committed", [.batchMessages: .stringConvertible(12), .alertID: "7", .device: "pond-1"])
        #expect(
            log.text == [
                #"{"time":"2026-05-01T12:00:00.123Z","level":"info","service":"test","#
                    + #""message":"Committed","alert.id":"7","batch.messages":12,"device":"pond-1"}"# + "\n"
            ])
    }

    @Test(arguments: [
        "quote \" backslash \\ slash /", "line\nbreak\r\ttab", "nul \u{0} bell \u{7} delete \u{7F}", "水槽 🐟 e\u{301}",
        "\u{2028}\u{2029}", "",
    ])
    func escapesSoThatAnyJSONReaderGetsItBack(text: String) throws {
        log.logger().error("\(text)", [.error: "\(text)"])
        let object = try #require(log.objects().first)
        #expect(object["message"] as? String == text)
        #expect(object["error"] as? String == text)
        #expect(log.text.first?.utf8.filter { $0 == 0x0A }.count == 1)
    }

    @Test func flattensAndTypesMetadata() throws {
        let nested: Logger.Metadata = [
            "delivery": ["id": "9", "target": ["host": "example.org"]],
            "slots": .array([.stringConvertible(1), "2", ["a": "b"]]),
            "ok": .stringConvertible(true), "ratio": .stringConvertible(0.5), "lost": .stringConvertible(Double.nan),
            "message": "not the message",
        ]
        log.logger().log(level: .notice, "Sent", metadata: nested)
        let object = try #require(log.objects().first)
        #expect(object["delivery.id"] as? String == "9")
        #expect(object["delivery.target.host"] as? String == "example.org")
        #expect(object["ok"] as? Bool == true)
        #expect(object["ratio"] as? Double == 0.5)
        #expect(object["lost"] as? String == "nan")
        #expect(object["message"] as? String == "Sent")
        #expect(object["metadata.message"] as? String == "not the message")
        #expect((object["slots"] as? [Any])?.count == 3)
    }

    @Test func theLinesOwnMetadataWins() throws {
        var logger = log.logger().with(.slot, "1").with(.seat, "2")
        logger.handler.metadataProvider = Logger.MetadataProvider { ["device": "provided", "slot": "provided"] }
        logger.info("Turn", [.device: "own"])
        let object = try #require(log.objects().first)
        #expect(object["slot"] as? String == "provided")
        #expect(object["seat"] as? String == "2")
        #expect(object["device"] as? String == "own")
    }

    @Test func leavesOutWhatIsBelowTheLevel() {
        log.logger(level: .warning).info("Quiet", [.device: "pond"])
        #expect(log.text.isEmpty)
    }

    @Test func linesOfManyTasksNeverMix() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.file("log", "")
        let file = open(path, O_WRONLY | O_APPEND)
        defer { close(file) }
        let output = FileLogOutput(descriptor: file)
        await withDiscardingTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    let logger = Logger(label: "task-\(task)") {
                        JSONLogHandler(label: $0, level: .info, output: output, clock: .system)
                    }
                    for number in 0..<200 { logger.info("Turn", [.count: .stringConvertible(number)]) }
                }
            }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3_200)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test func writesAllOfALineThatThePipeTakesInParts() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        Thread.detachNewThread {
            FileLogOutput(descriptor: writer).write(line)
            close(writer)
        }
        defer { close(reader) }
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(reader, &buffer, buffer.count), count > 0 { received += count }
        #expect(received == line.count)
    }

    @Test func namesOfKeysAreUnique() {
        #expect(Set(LogKey.allCases.map(\.rawValue)).count == LogKey.allCases.count)
    }
}
