/// Answers at whole multiples of a beat after the beginning: writing a row takes longer than finding one, and that must
/// not show.
func evenly<Value>(
    _ beat: Duration, _ body: () async throws -> Value
) async throws -> Value {
    let clock = ContinuousClock()
    let began = clock.now
    let value = try await body()
    let beats = ((clock.now - began) / beat).rounded(.up)
    try await clock.sleep(until: began + beat * beats)
    return value
}
