import NIOCore

/// One deadline of a connection, which moves often and rarely passes.
///
/// Moving it later costs nothing: the scheduled task looks at the deadline when it runs.
struct ConnectionTimer {
    private final class State {
        var deadline: NIODeadline?
        var scheduled: (at: NIODeadline, task: Scheduled<Void>)?
        var action: (ChannelHandlerContext) -> Void = { _ in }
    }

    private let state = State()

    /// Runs the action after this time, unless the timer is set again or cancelled before.
    func set(
        _ time: TimeAmount, on loop: any EventLoop, _ context: ChannelHandlerContext,
        _ action: @escaping (ChannelHandlerContext) -> Void
    ) {
        let deadline = NIODeadline.now() + time
        state.deadline = deadline
        state.action = action
        if let scheduled = state.scheduled {
            if scheduled.at <= deadline { return }
            scheduled.task.cancel()
        }
        schedule(deadline, loop, context)
    }

    func cancel() {
        state.deadline = nil
    }

    private func schedule(_ deadline: NIODeadline, _ loop: any EventLoop, _ context: ChannelHandlerContext) {
        let task = loop.assumeIsolated().scheduleTask(deadline: deadline) { fire(loop, context) }
        state.scheduled = (deadline, task)
    }

    private func fire(_ loop: any EventLoop, _ context: ChannelHandlerContext) {
        state.scheduled = nil
        guard let deadline = state.deadline else { return }
        if deadline > .now() {
            schedule(deadline, loop, context)
        } else {
            state.deadline = nil
            state.action(context)
        }
    }
}
