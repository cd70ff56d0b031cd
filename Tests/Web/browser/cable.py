"""A cable between a page and a board: what stands in for Web Serial in the page, as strict as the browser, and the sketch's own set-up behind it,
compiled for this computer. Bytes go one by one; while the page waits, the board's time runs. What the board is given it keeps, and tries its broker
with.
"""

import os
import re
import subprocess
import tempfile
from pathlib import Path

BOARD = Path(__file__).resolve().parents[2] / "Firmware/Host/board.cpp"
# The board's milliseconds for one look of the page.
STEP = 500

SERIAL = """
(() => {
    const look = 15;
    let isTaken = false;

    class Port extends EventTarget {
        readable = null;
        writable = null;
        #isOpen = false;

        async open(options) {
            if (this.#isOpen) throw new DOMException("The port is already open.", "InvalidStateError");
            if (options?.baudRate !== 115200) throw new TypeError(`no board speaks at ${options?.baudRate}`);
            if (await window.boardOpen() === "taken") throw new DOMException("Failed to open serial port.", "NetworkError");
            this.#isOpen = true;
            let isOver = false;
            const lost = () => new DOMException("The device has been lost.", "NetworkError");
            const turn = async (bytes) => {
                const answer = await window.boardTurn([...bytes]);
                if (answer === null) throw lost();
                return answer;
            };
            let controller;
            const deliver = (answer) => { for (const byte of answer) controller.enqueue(Uint8Array.of(byte)); };
            this.readable = new ReadableStream({
                start: (given) => { controller = given; },
                async pull() {
                    while (!isOver) {
                        const answer = await turn([]);
                        if (isOver) return;
                        if (answer.length > 0) return deliver(answer);
                        await new Promise((resolve) => setTimeout(resolve, look));
                    }
                },
                cancel: () => { isOver = true; },
            }, { highWaterMark: 0 });
            this.writable = new WritableStream({
                async write(chunk) {
                    if (!(chunk instanceof Uint8Array)) throw new TypeError("A port takes bytes.");
                    const answer = await turn(chunk);
                    if (!isOver) deliver(answer);
                },
            });
        }

        async setSignals(signals) {
            if (!this.#isOpen) throw new DOMException("The port is closed.", "InvalidStateError");
            if (Object.keys(signals).length === 0) throw new TypeError("no signals");
        }

        async close() {
            if (!this.#isOpen) throw new DOMException("The port is already closed.", "InvalidStateError");
            if (this.readable?.locked || this.writable?.locked) throw new TypeError("Cannot cancel a locked stream");
            this.#isOpen = false;
            this.readable = this.writable = null;
            await window.boardClose();
        }
    }

    class Serial extends EventTarget {
        async requestPort() {
            if (!navigator.userActivation.isActive) throw new DOMException("Must be handling a user gesture to show a permission request.", "SecurityError");
            if (!await window.boardChosen()) throw new DOMException("No port selected by the user.", "NotFoundError");
            return new Port();
        }
    }
    Object.defineProperty(Navigator.prototype, "serial", { configurable: true, value: new Serial() });
})();
"""


class Cable:
    """The board, and what happens to its cable."""

    def __init__(self, context, key):
        self.is_chosen = True
        self.is_taken = False
        self.is_pulled = False
        self.pulls_at = None  # the command at which somebody pulls it
        self.noise = 0  # so many answers come with a wrong sum
        self.commands = []
        self.opened = self.closed = 0
        self.key = key  # the one that the broker takes
        self.kept = {}  # the board's settings, by their names in the sketch's text
        self.folder = tempfile.TemporaryDirectory()
        program = os.path.join(self.folder.name, "board")
        subprocess.run(["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{BOARD.parent}", str(BOARD), "-o", program], check=True)
        self.program, self.board = program, None
        context.add_init_script(SERIAL)
        context.expose_function("boardChosen", lambda: self.is_chosen)
        context.expose_function("boardOpen", self.open)
        context.expose_function("boardTurn", self.turn)
        context.expose_function("boardClose", self.close)

    def open(self):
        if self.is_taken:
            return "taken"
        self.opened += 1
        self.is_pulled = False
        if self.board is None:
            self.board = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return "open"

    def turn(self, sent):
        """What the board writes after these bytes, or after a while; nothing any more once the cable is pulled."""
        if sent and bytes(sent[:6]) == b"IMPROV":
            self.commands.append(sent[9])
            if self.pulls_at == sent[9]:
                self.pulls_at, self.is_pulled = None, True
                sent = sent[: len(sent) // 2]
        answer = self.ask(sent)
        if self.is_pulled:
            return None
        if answer and self.noise:
            self.noise -= 1
            answer[-2] ^= 1  # before the line feed
        return answer

    def ask(self, sent):
        self.board.stdin.write(f"{0 if sent else STEP} {self.answered()} {bytes(sent).hex()}\n")
        self.board.stdin.flush()
        wrote, _, kept = self.board.stdout.readline().rstrip("\n").partition(" ")
        self.kept = settings(bytes.fromhex(kept).decode())
        return list(bytes.fromhex(wrote))

    def answered(self):
        """How the broker answers what the board keeps."""
        return "connected" if self.kept.get("key") == self.key else "refused"

    def close(self):
        self.closed += 1

    def renew(self):
        """Another board, as it comes out of its box."""
        self.end()
        self.commands.clear()
        self.kept = {}

    def end(self):
        if self.board:
            self.board.stdin.close()
            self.board.wait()
            self.board = None


def settings(text):
    """The lines of the sketch's text by their names; the authority's certificates together."""
    found = dict(line.split(" ", 1) for line in text.splitlines() if re.match("(host|port|tls|id|key) ", line))
    return {**found, "authority": "".join(re.findall("-----BEGIN .*?-----END CERTIFICATE-----\n", text, re.DOTALL))} if found else {}
