/// Waiting for the server, which may last for as long as a synchronous standby is away.
package enum ServerWait {
    /// Called each second by what waits, while the server owes an answer to a call of this task: to the call itself, or to those that
    /// hold the pool's connections meanwhile. Never while this process is at work, or holds itself up.
    @TaskLocal package static var onTurn: (@Sendable () -> Void)?

    /// How often what waits looks up.
    static let turn = Duration.seconds(1)
    static let turnMilliseconds: Int32 = 1_000
}
