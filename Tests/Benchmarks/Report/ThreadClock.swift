import CLoad

/// The processor time of the calling thread: what a core gives, whatever else the machine does.
enum ThreadClock {
    static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    /// What the thread has used so far.
    static var now: Duration { .nanoseconds(aqua_thread_time()) }
}
