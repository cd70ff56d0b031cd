/// A dictionary of bounded size that forgets the keys whose values were set longest ago.
///
/// It keeps two halves: when the recent one is full it becomes the former one, and what was the former one is forgotten.
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

    /// How many values are held, counting those twice that were set in both halves.
    package var count: Int { recent.count + former.count }
}
