import NIOCore
import Testing

@testable import aqua_bench

@Suite struct MailDialogTests {
    private static let said = """
        EHLO example.org\r
        MAIL FROM:<alerts@example.org>\r
        RCPT TO:<bench-7@example.org>\r
        DATA\r
        Subject: x\r
        \r
        RCPT TO:<bench-8@example.org>\r
        ..\r
        .\r
        QUIT\r

        """

    /// However the bytes come, the answers are the same.
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func eachMailIsAnsweredOnceItIsWhole(atOnce: Int) {
        var dialog = MailDialog()
        var steps: [MailDialog.Step] = []
        var rest = Array(Self.said.utf8)[...]
        while !rest.isEmpty {
            dialog.hear(ByteBuffer(bytes: rest.prefix(atOnce)))
            rest = rest.dropFirst(atOnce)
            while let step = dialog.next() { steps.append(step) }
        }
        #expect(steps.map { $0.reply.prefix(3) } == ["250", "250", "250", "354", "250", "221"])
        #expect(steps.compactMap(\.recipient) == ["bench-7@example.org"])
        #expect(steps.map(\.isLast) == [false, false, false, false, false, true])
    }

    @Test func whatIsNoCommandIsRefused() {
        var dialog = MailDialog()
        dialog.hear(ByteBuffer(string: "AUTH PLAIN x\r\n"))
        #expect(dialog.next() == MailDialog.Step(reply: "500 unknown"))
        #expect(dialog.next() == nil)
    }
}
