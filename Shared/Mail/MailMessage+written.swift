import Words

extension MailMessage {
    /// The mail as it is sent (RFC 5322, RFC 2045): its text twice, plain and as HTML. Lines end with CRLF.
    package func written(from sender: MailSender) -> [UInt8] {
        let domain = sender.address.domain
        let boundary = "=_\(id)"
        var headers: [(String, String)] = [
            ("Date", MailText.date(time)),
            ("From", "\(MailText.header(sender.name)) <\(sender.address)>"),
            ("To", "<\(to)>"),
            ("Subject", MailText.header(title)),
            ("Message-ID", "<\(id)@\(domain)>"),
        ]
        if let thread {
            headers += [("In-Reply-To", "<\(thread)@\(domain)>"), ("References", "<\(thread)@\(domain)>")]
        }
        // RFC 3834: nobody is away, and no list, answers it.
        headers.append(("Auto-Submitted", "auto-generated"))
        if let unsubscribe {
            headers += [
                ("List-Unsubscribe", "<\(unsubscribe)>"), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ]
        }
        if isUrgent { headers.append(("Importance", "high")) }
        headers += [
            ("MIME-Version", "1.0"), ("Content-Type", "multipart/alternative; boundary=\"\(boundary)\""),
        ]
        var lines = headers.map { "\($0.0): \($0.1)" }
        for (type, content) in [("text/plain", plain), ("text/html", html(sender.accent))] {
            lines += [
                "", "--\(boundary)", "Content-Type: \(type); charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "", MailText.quotedPrintable(content),
            ]
        }
        lines += ["--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Each link on a line of its own, after what it leads to.
    private var plain: String {
        var parts = [title, text]
        if let table { parts.append(table.plain) }
        for link in [answer, action].compactMap(\.self) { parts.append("\(link.text):\n\(link.url)") }
        var foot: [String] = []
        if let reason { foot.append(reason) }
        if let stop { foot.append("\(stop.text):\n\(stop.url)") }
        if !foot.isEmpty { parts.append("-- \n" + foot.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// As plain as a message from a person: no pictures, nothing that is loaded, and the reader's own colours.
    private func html(_ accent: Colour) -> String {
        let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { "<p>\(MailText.html(String($0)))</p>" }.joined(separator: "\n")
        var body = """
            <h1 style="font-size:1.3em;margin:0 0 .6em">\(MailText.html(title))</h1>
            \(paragraphs)
            """
        if let table { body += "\n\(table.html)" }
        for link in [answer, action].compactMap(\.self) {
            body += """

                <p style="margin:1.4em 0"><a href="\(MailText.html(link.url))" style="\(Self.button(accent))">\(MailText.html(link.text))</a></p>
                """
        }
        if reason != nil || stop != nil {
            let link = stop.map { "<a href=\"\(MailText.html($0.url))\">\(MailText.html($0.text))</a>" }
            let foot = [reason.map(MailText.html), link].compactMap(\.self).joined(separator: " ")
            body += "\n<p style=\"font-size:.85em;opacity:.7;margin-top:2em\">\(foot)</p>"
        }
        return """
            <!doctype html>
            <html lang="\(MailText.html(language))">
            <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>\(MailText.html(title))</title></head>
            <body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34em;margin:1.5em auto;padding:0 1em">
            \(body)
            </body>
            </html>

            """
    }

    private static func button(_ accent: Colour) -> String {
        "display:inline-block;padding:.7em 1.2em;border-radius:.6em;background:\(accent.text);color:#ffffff;text-decoration:none"
    }
}
