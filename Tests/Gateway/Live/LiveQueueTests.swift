import Testing

@testable import Gateway

@Suite struct LiveQueueTests {
    @Test func whatWaitsIsWrittenAtOnce() async {
        let queue = LiveQueue()
        queue.offer([1])
        queue.offer([2, 3])
        #expect(await queue.next() == [1, 2, 3])
        queue.offer([4])
        queue.finish(.due)
        queue.offer([5])
        #expect(await queue.next() == [4])
        #expect(await queue.next() == nil)
    }

    @Test func aSlowReaderIsGivenUpAndHoldsNothing() async {
        let queue = LiveQueue()
        for _ in 0..<LiveQueue.limit { queue.offer([1]) }
        #expect(queue.end == nil)
        queue.offer([1])
        #expect(queue.end == .slow)
        #expect(queue.waiting == 0)
        queue.offer([1])
        #expect(queue.waiting == 0)
        #expect(await queue.next() == nil)
    }

    @Test func aHeartbeatComesOnlyWhenNothingElseDoes() async {
        let queue = LiveQueue()
        queue.beat()
        queue.beat()
        #expect(await queue.next() == Array(":\n\n".utf8))
        queue.beat()
        queue.offer([1])
        #expect(await queue.next() == [1])
        queue.finish(.stopping)
        #expect(await queue.next() == nil)
    }

    @Test func aReaderThatWaitsIsWoken() async {
        let queue = LiveQueue()
        async let first = queue.next()
        await Task.yield()
        queue.offer([7])
        #expect(await first == [7])
    }

    @Test func aCancelledReaderGetsNothing() async {
        let queue = LiveQueue()
        let reader = Task { await queue.next() }
        reader.cancel()
        #expect(await reader.value == nil)
    }
}
