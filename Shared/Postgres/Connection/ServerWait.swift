/// Waiting for the server, which may last as long as a synchronous standby is away.
package enum ServerWait {
    /// Called each second while the server owes an answer to a call of this task, or to the calls that hold the pool's
    /// connections while this task waits for one. Never called while this process itself works or hangs.
    @TaskLocal package static var onTurn: (@Sendable () -> Void)?

    /// The interval at which a waiting thread calls back.
    static let turn = Duration.seconds(1)
    static let turnMilliseconds: Int32 = 1_000
}
