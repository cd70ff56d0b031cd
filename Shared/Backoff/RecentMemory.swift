/// A dictionary of bounded size that forgets the keys whose values were set longest ago.
///
/// The keys are kept in two halves: when the recent half is full it replaces the older one, whose keys are forgotten.
package struct RecentMemory<Key: Hashable, Value> {
    private let half: Int
    private var recent: [Key: Value] = [:]
    private var former: [Key: Value] = [:]

    /// - Parameter most: The greatest number of keys.
    package init(most: Int) {
        half = max(1, most / 2)
    }

    package subscript(key: Key) -> Value? {
        get { recent[key] ?? former[key] }
        set {
            if recent.count >= half, recent[key] == nil { (former, recent) = (recent, [:]) }
            recent[key] = newValue
            if newValue == nil { former[key] = nil }
        }
    }

    /// The number of stored values; a key that is set in both halves counts twice.
    package var count: Int { recent.count + former.count }
}
