import Testing

@testable import People

@Suite("CSV")
struct CSVTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// Records as "line|field|field", faults as "line!fault".
        let records: [String]

        var testDescription: String { name }
    }

    static let examples = [
        Example(name: "LF", text: "a,b\n1,2\n", records: ["1|a|b", "2|1|2"]),
        Example(name: "CRLF", text: "a,b\r\n1,2\r\n", records: ["1|a|b", "2|1|2"]),
        Example(name: "lone CR", text: "a,b\r1,2\r", records: ["1|a|b", "2|1|2"]),
        Example(name: "no line end at the end", text: "a,b\n1,2", records: ["1|a|b", "2|1|2"]),
        Example(name: "byte order mark", text: "\u{FEFF}a,b\n", records: ["1|a|b"]),
        Example(name: "byte order mark before quotes", text: "\u{FEFF}\"a\",b\n", records: ["1|a|b"]),
        Example(name: "quotes", text: #""a,b","c""d",e"#, records: [#"1|a,b|c"d|e"#]),
        Example(name: "line break in quotes", text: "\"a\r\nb\",c\nd,e\n", records: ["1|a\r\nb|c", "3|d|e"]),
        Example(name: "empty fields", text: ",,\n", records: ["1|||"]),
        Example(name: "an empty quoted field", text: "\"\",a\n", records: ["1||a"]),
        Example(name: "blanks around fields", text: "gndblwq   , P\t,x\n", records: ["1|gndblwq|P|x"]),
        Example(
            name: "comments and empty lines", text: "# made by\n\na,b\n#1,2\n\r\n3,4\n", records: ["3|a|b", "6|3|4"]),
        Example(name: "a hash within a record", text: "a,#b\n", records: ["1|a|#b"]),
        Example(name: "a quotation mark inside a field", text: "5\" pipe,b\n", records: ["1|5\" pipe|b"]),
        Example(name: "text behind quotes", text: "\"a\"b,c\nd,e\n", records: ["1!textAfterQuote", "2|d|e"]),
        Example(name: "quotes that stay open", text: "a,b\n\"c,d\n", records: ["1|a|b", "2!unclosedQuote"]),
        Example(name: "bytes that are no text", text: "a\u{FFFD}\n", records: ["1|a\u{FFFD}"]),
        Example(name: "nothing", text: "", records: []),
    ]

    @Test("means the same in chunks of every size", arguments: examples)
    func records(_ example: Example) throws {
        for size in 1...max(1, example.text.utf8.count) {
            #expect(try Self.read(example.text, chunk: size) == example.records, "\(example.name), chunks of \(size)")
        }
    }

    @Test("A lost quotation mark costs bounded memory and the records behind it are found again")
    func tooLong() throws {
        let text = "a\n\"" + String(repeating: "x", count: CSVParser.longestRecord + 10) + "\nb\n"
        #expect(try Self.read(text, chunk: 4096) == ["1|a", "2!tooLong", "3|b"])
        let commas = String(repeating: ",", count: CSVParser.longestRecord + 10) + "\nb\n"
        #expect(try Self.read(commas, chunk: 4096) == ["1!tooLong", "2|b"])
    }

    private static func read(_ text: String, chunk: Int) throws -> [String] {
        var rest = Array(text.utf8)[...]
        var reader = CSVReader {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
        var records: [String] = []
        while let record = try reader.next() {
            let fault = record.fault.map { "\(record.line)!\(name(of: $0))" }
            records.append(fault ?? ([String(record.line)] + record.fields).joined(separator: "|"))
        }
        return records
    }

    private static func name(of fault: CSVFault) -> String {
        switch fault {
        case .textAfterQuote: "textAfterQuote"
        case .unclosedQuote: "unclosedQuote"
        case .tooLong: "tooLong"
        }
    }
}
