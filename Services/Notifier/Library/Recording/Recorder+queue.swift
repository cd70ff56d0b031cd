extension Recorder {
    /// The results that wait to be written, with their number, which is asked for with each lease.
    struct Queue<Element: Sendable>: Sendable {
        private var elements: [Element] = []
        private(set) var size = 0
        private let sizeOfOne: @Sendable (Element) -> Int

        init(size: @Sendable @escaping (Element) -> Int) { sizeOfOne = size }

        func size(of elements: some Sequence<Element>) -> Int { elements.reduce(0) { $0 + sizeOfOne($1) } }

        func first(_ count: Int) -> [Element] { Array(elements.prefix(count)) }

        mutating func append(_ more: [Element]) {
            elements += more
            size += size(of: more)
        }

        mutating func removeFirst(_ count: Int) {
            size -= size(of: elements.prefix(count))
            elements.removeFirst(count)
        }
    }
}
