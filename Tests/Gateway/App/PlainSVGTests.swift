import Testing

@testable import Gateway

/// Logos are shown to everybody: what could run, load or move is refused, and nothing is taken out of what is shown.
@Suite struct PlainSVGTests {
    private static let head = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">"#

    private func fault(_ text: String) -> LogoFault? {
        do throws(LogoFault) {
            _ = try PlainSVG(Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func shapesAreTaken() throws {
        let logo = """
            \u{feff}<?xml version="1.0" encoding="UTF-8"?>
            <!-- drawn by hand -->
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox='0 0 64 64.5'>
                <title>Koi &amp; Club</title>
                <style>.water { fill: url( "#ground" ); }</style>
                <defs><linearGradient id="ground"><stop offset="0" stop-color="#005d6f"/></linearGradient></defs>
                <g clip-path="url(#cut)" style="fill:url('#ground')"><path d="M1 1h62v62H1z"/><text x="3">鯉 &lt;</text></g>
            </svg>

            """
        #expect(try PlainSVG(Array(logo.utf8)).side == 64)
        #expect(
            try PlainSVG(Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="48px" height="48"/>"#.utf8)).side == 48)
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<script href=\"a.js\"/>", "<foreignObject><p/></foreignObject>",
        "<image href=\"#a\"/>",
        "<use href=\"#a\"/>", "<a href=\"#a\"><path/></a>", "<animate attributeName=\"href\"/>", "<set/>", "<iframe/>",
        "<x:script xmlns:x=\"http://www.w3.org/2000/svg\"/>", "<feImage/>", "<SCRIPT/>",
    ])
    func otherElementsAreRefused(inner: String) {
        guard case .element? = fault(Self.head + inner + "</svg>") else {
            Issue.record("\(inner) was taken, or refused for something else")
            return
        }
    }

    @Test(arguments: [
        "onload=\"alert(1)\"", "ONCLICK='a'", "x:onload=\"a\"", "href=\"https://evil.example\"", "xlink:href=\"#a\"",
        "a:href=\"data:,\"", "xml:base=\"https://evil.example\"", "src=\"a\"", "fill=\"url(https://evil.example/a)\"",
        "fill=\"URL( 'a.svg#b' )\"", "style=\"fill:u\\72l(a)\"", "style=\"@import 'a'\"", "fill=\"u&#114;l(a)\"",
        "fill=\"url&#x28;a)\"", "style=\"background:image-set('a' 1x)\"", "style=\"a:javascript:b\"", "fill=\"&evil;\"",
        "fill=\"a & b\"",
        "xmlns=\"http://www.w3.org/1999/xhtml\"",
    ])
    func otherAttributesAreRefused(attribute: String) {
        guard case .attribute? = fault(Self.head + "<path \(attribute)/></svg>") else {
            Issue.record("\(attribute) was taken, or refused for something else")
            return
        }
    }

    @Test(arguments: [
        "@import url(https://evil.example);", "a{fill:url(https://evil.example)}", "@font-face{}", "@keyframes a{}",
        "a{fill:\\75rl(b)}", "a{fill:url(data:image/png;base64,AA)}", "<!-- -->@import 'a';", "<g/>@import 'a';",
        "a{}<!-- -->@import 'a';", "&#64;import 'a';", "a{fill:u&#114;l(b)}",
    ])
    func stylesLoadNothing(style: String) { #expect(fault(Self.head + "<style>\(style)</style></svg>") == .style) }

    @Test(arguments: [
        "", "text", "<svg/>", head, head + "</g>", head + "<g></svg>", head + "</svg><svg/>", head + "</svg>text",
        "<!DOCTYPE svg [<!ENTITY a \"b\">]>" + head + "</svg>", head + "<![CDATA[<script/>]]></svg>",
        "<?xml-stylesheet href=\"a.css\"?>" + head + "</svg>", head + "<?php a?></svg>", head + "<path d=1/></svg>",
        head + "<path d=\"<\"/></svg>", head + "<!-- </svg>", head + "<path", "<g>" + head + "</svg></g>",
        "<svg viewBox=\"0 0 64 64\"/>", #"<svg xmlns="http://www.w3.org/2000/svg"/>"#,
        #"<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"/>"#,
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 nan nan"/>"#,
        head + String(repeating: "<g>", count: 100) + String(repeating: "</g>", count: 100) + "</svg>",
    ])
    func whatIsNoSVGIsRefused(text: String) { #expect(fault(text) != nil) }

    /// Browsers read scalars: a mark of markup is one to them, whatever stands beside it and would be one character with it.
    @Test(arguments: [
        head + "\u{600}<script href=\"data:,\"/></svg>", head + "<!-- a -->\u{301}<script>a</script><!-- --></svg>",
        head + "<g></g >\u{301}<script/></svg>", head + "<path fill=\"url(\u{301}a)\"/></svg>",
        head + "<path d=\"a\"\u{200d}onload=\"b\"/></svg>", "\u{feff}\u{301}" + head + "</svg>",
    ])
    func nothingHidesBesideAMark(text: String) { #expect(fault(text) == .noSVG) }

    /// In this encoding, what stands between the two escapes are no ASCII characters: the comment does not begin where it seems to.
    @Test(arguments: ["encoding=\"ISO-2022-JP\"", "encoding = 'shift_jis'", "encoding=\"utf-8\" encoding=\"utf-7\""])
    func anotherEncodingIsRefused(encoding: String) {
        let text = Self.head + "\u{1b}$B<!--\u{1b}(B<script/>--></svg>"
        #expect(fault("<?xml version=\"1.0\" \(encoding)?>" + text) == .noSVG)
    }

    @Test(arguments: ["", " encoding='utf-8' standalone = \"yes\" ", "\r\nencoding=\"UTF-8\""])
    func itsOwnEncodingIsTaken(rest: String) {
        let inner = "<title>Cafe\u{301} 1\u{fe0f} ≠ 2</title></svg>\r\n"
        #expect(fault("<?xml version=\"1.0\"\(rest)?>\r\n" + Self.head + inner) == nil)
    }

    @Test func whatIsNoTextIsRefused() {
        #expect(throws: LogoFault.noSVG) { try PlainSVG(Array(Self.head.utf8) + [0xFF] + Array("</svg>".utf8)) }
    }

    @Test func aLogoIsSquare() {
        let wide = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"/>"#
        #expect(fault(wide) == .shape(width: 300, height: 100))
        #expect(LogoFault.shape(width: 300, height: 100).story == "is 300 wide and 100 high, and a logo is square")
    }
}
