/// The token in use, with which Google takes messages. However many messages wait for one, it is asked for once.
actor FCMTokens {
    /// How long before its end a token is replaced.
    static let margin = Duration.seconds(300)
    /// How long nobody asks again after a refusal.
    static let patience = Duration.seconds(10)

    private enum State {
        case none
        case asking([CheckedContinuation<Result<String, FCMGrant.Refusal>, Never>])
        case granted(String, until: ContinuousClock.Instant)
        case refused(FCMGrant.Refusal, until: ContinuousClock.Instant)
    }

    private var state = State.none

    /// - Parameter ask: Asks for a token. It may be somebody else's question that is waited for.
    func token(
        now: ContinuousClock.Instant = .now,
        ask: @Sendable () async -> Result<FCMGrant.Token, FCMGrant.Refusal>
    ) async -> Result<String, FCMGrant.Refusal> {
        switch state {
        case .granted(let token, let until) where now < until: return .success(token)
        case .refused(let refusal, let until) where now < until: return .failure(refusal)
        case .asking(let waiting):
            return await withCheckedContinuation { state = .asking(waiting + [$0]) }
        case .none, .granted, .refused: break
        }
        state = .asking([])
        let answer = await ask()
        guard case .asking(let waiting) = state else { preconditionFailure("only whoever asks ends the question") }
        let result = answer.map(\.text)
        switch answer {
        case .success(let token): state = .granted(token.text, until: .now + max(token.lasts - Self.margin, .zero))
        case .failure(let refusal): state = .refused(refusal, until: .now + Self.patience)
        }
        for one in waiting { one.resume(returning: result) }
        return result
    }

    /// Notes that Google does not take a token any more.
    func forget(_ token: String) {
        if case .granted(token, _) = state { state = .none }
    }
}
