/// Reads CSV record by record, from chunks of bytes: memory holds one chunk and one record.
struct CSVReader {
    private let read: () throws -> [UInt8]
    private var parser = CSVParser()
    private var chunk: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// - Parameter read: The next bytes; none at the end.
    init(read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// The next record, or nil at the end.
    /// - Throws: What `read` throws; faults of the text are in the records.
    mutating func next() throws -> CSVRecord? {
        while true {
            while let byte = chunk.popFirst() {
                if let record = parser.consume(byte) { return record }
            }
            if isAtEnd { return nil }
            chunk = try read()[...]
            if chunk.isEmpty {
                isAtEnd = true
                return parser.finish()
            }
        }
    }
}
