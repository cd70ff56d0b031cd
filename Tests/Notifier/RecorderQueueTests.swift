import TestSupport
import Testing

@testable import Notifier

/// The count of what waits to be recorded, by which it is decided how much more is leased.
@Suite struct RecorderQueueTests {
    @Test func `the count is that of all that waits`() {
        var generator = SeededGenerator(seed: 1)
        var queue = Recorder.Queue<[Int]>(size: \.count)
        var expected: [[Int]] = []
        for _ in 0..<500 {
            if Bool.random(using: &generator) {
                let more = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    [Int](repeating: 0, count: Int.random(in: 1...4, using: &generator))
                }
                queue.append(more)
                expected += more
            } else {
                let batch = queue.first(2)
                #expect(batch == Array(expected.prefix(2)))
                queue.removeFirst(batch.count)
                expected.removeFirst(batch.count)
            }
            #expect(queue.size == expected.joined().count)
        }
    }
}
