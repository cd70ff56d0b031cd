import Foundation
import Testing

@testable import Mail

/// Tables in mails: columns of plain text, and of HTML in which no name is more than text.
@Suite struct MailTableTests {
    private static let table = MailTable(
        head: ["Tank", "Reading", "Lowest", "Highest"],
        rows: [["Koi pond", "Oxygen", "6.8", "9.1 mg/L"], ["", "pH", "7.0", "8.25"], ["錦鯉", "水温", "4", "21"]])

    @Test func `names stand to the left and values to the right, each below its head`() {
        #expect(
            Self.table.plain == """
                Tank      Reading  Lowest   Highest
                --------  -------  ------  --------
                Koi pond  Oxygen      6.8  9.1 mg/L
                          pH          7.0      8.25
                錦鯉      水温          4        21
                """)
    }

    @Test func `no name is markup`() {
        let html = MailTable(head: ["Tank", "R"], rows: [["<b>\"Koi\"</b>", "&"]]).html
        #expect(!html.contains("<b>") && html.contains("&lt;b&gt;") && html.contains("&amp;"))
        #expect(html.components(separatedBy: "<th scope=\"col\"").count == 3)
    }

    @Test func `a mail has it below its text, and above the link`() throws {
        var message = try MailMessageTests.message(text: "On 28 November")
        message.table = Self.table
        let sender = try #require(MailSender("Koi Club <alerts@example.org>"))
        let text = String(decoding: message.written(from: sender), as: UTF8.self).replacing("=\r\n", with: "")
        let places = ["On 28 November", "Koi pond  Oxygen", "alerts/0198f3a2"].map {
            text.firstRange(of: $0)?.lowerBound
        }
        let found = places.compactMap(\.self)
        #expect(found.count == 3 && found == found.sorted())
        #expect(text.contains("<table"))
    }
}
