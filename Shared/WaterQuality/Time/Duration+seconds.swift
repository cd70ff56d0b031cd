import Instants

extension Duration {
    /// To the microsecond.
    var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}
