"""A real browser without a window, by the DevTools protocol over a pipe.

Whatever it asks of any other machine than this one goes to a proxy that answers
nothing and takes notes.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import signal
import socketserver
import subprocess
import tempfile
import threading
import time
from pathlib import Path

CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser'))), '')
FLAGS = (
    '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run '
    '--disable-background-networking --disable-component-update --disable-sync '
    '--disable-default-apps --hide-scrollbars --remote-debugging-pipe'
).split()
CODES = {'Enter': 13, 'Escape': 27, 'Tab': 9, 'ArrowLeft': 37, 'ArrowRight': 39}
SHIFT = 8  # as the protocol counts modifiers
# Each text with its colour against what is behind it, as WCAG 2 defines contrast.
CONTRAST = """(() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => [0.2126, 0.7152, 0.0722].map((w, n) => {
    const p = c[n] / 255;
    return w * (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4);
  }).reduce((a, b) => a + b);
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const here = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || here.closest('script, style, title, desc'))
      continue;
    const style = getComputedStyle(here);
    const ink = rgb(here.closest('svg') ? style.fill : style.color);
    let behind = [0, 0, 0, 0];
    for (let e = here; e && !(behind.length < 4 || behind[3]); e = e.parentElement)
      behind = rgb(getComputedStyle(e).backgroundColor);
    const [a, b] = [light(ink), light(behind)].sort((x, y) => x - y);
    found.push([(b + 0.05) / (a + 0.05), walk.currentNode.data.slice(0, 50)]);
  }
  return found.sort((x, y) => x[0] - y[0]).slice(0, 1).concat([[found.length, '']]);
})()"""


class Trap(socketserver.ThreadingTCPServer):
    """A proxy that notes the first line of what is asked, and hangs up."""

    daemon_threads = True

    def __init__(self):
        super().__init__(('127.0.0.1', 0), Noting)
        self.asked = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class Noting(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.asked.append(self.rfile.readline(4096).decode('latin-1').strip())


class Browser:
    """A browser with one tab."""

    def __init__(self, folder: str, trap: Trap):
        self.trap, self.requests, self.said = trap, [], []
        self._number, self._held, self._answers, self._events = 0, b'', {}, []
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        proxy = f'--proxy-server=http://127.0.0.1:{trap.server_address[1]}'
        line = [CHROMIUM, *FLAGS, f'--user-data-dir={folder}', proxy]
        pipes = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ['bash', '-c', pipes, *line],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for fd in (theirs_in, theirs_out):
            os.close(fd)
        self._session = None
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        found = self.call('Target.attachToTarget', targetId=target, flatten=True)
        self._session = found['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log'):
            self.call(f'{domain}.enable')
        self.call(
            'Target.setAutoAttach',
            autoAttach=True,
            waitForDebuggerOnStart=False,
            flatten=True,
        )

    def close(self):
        """End the browser and all its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    # The protocol

    def call(self, method: str, **params):
        """Ask the browser something; its answer."""
        self._number += 1
        number = self._number
        asked = {'id': number, 'method': method, 'params': params}
        if self._session:
            asked['sessionId'] = self._session
        os.write(self._out, json.dumps(asked).encode() + b'\0')
        until = time.monotonic() + 60
        while number not in self._answers:
            self._listen(until - time.monotonic())
        answer = self._answers.pop(number)
        if 'error' in answer:
            raise AssertionError(f'{method}: {answer["error"]}')
        return answer['result']

    def _listen(self, seconds: float):
        if not select.select([self._in], [], [], max(0, seconds))[0]:
            raise AssertionError('the browser says nothing')
        data = os.read(self._in, 1 << 20)
        assert data, 'the browser has ended'
        *whole, self._held = (self._held + data).split(b'\0')
        for one in map(json.loads, whole):
            if 'id' in one:
                self._answers[one['id']] = one
            else:
                self._note(one['method'], one['params'])

    def _note(self, event: str, told: dict):
        if event == 'Network.requestWillBeSent':
            self.requests.append(told['request']['url'])
        elif event == 'Runtime.exceptionThrown':
            self.said.append(json.dumps(told['exceptionDetails']))
        elif event == 'Log.entryAdded':
            self.said.append(told['entry']['text'])
        elif event == 'Runtime.consoleAPICalled':
            self.said.append(json.dumps(told['args']))
        elif event == 'Page.javascriptDialogOpening':
            self.said.append(f'dialog: {told["message"]}')
            self._number += 1
            asked = {'id': self._number, 'method': 'Page.handleJavaScriptDialog'}
            asked |= {'params': {'accept': True}, 'sessionId': self._session}
            os.write(self._out, json.dumps(asked).encode() + b'\0')
        self._events.append(event)

    # What people do

    def goto(self, url: str):
        """Open an address; wait until it is loaded."""
        self._events.clear()
        self.call('Page.navigate', url=url)
        until = time.monotonic() + 30
        while 'Page.loadEventFired' not in self._events:
            self._listen(until - time.monotonic())

    def js(self, code: str):
        """The value of an expression in the page."""
        told = self.call(
            'Runtime.evaluate', expression=code, returnByValue=True, awaitPromise=True
        )
        assert 'exceptionDetails' not in told, told['exceptionDetails']
        return told['result'].get('value')

    def wait(self, code: str, seconds: float = 10):
        """Wait until an expression in the page is true; its value."""
        until = time.monotonic() + seconds
        while not (found := self.js(code)):
            assert time.monotonic() < until, f'in vain: {code}'
            time.sleep(0.02)
        return found

    def settle(self, seconds: float = 0.5):
        """Give the page time to do what it should not."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self._in], [], [], left)[0]:
                self._listen(left)

    def press(self, key: str, shift: bool = False):
        """Press a key and let it go."""
        text = key.upper() if shift else key
        told = {'key': text, 'modifiers': SHIFT if shift else 0}
        told['windowsVirtualKeyCode'] = CODES.get(key) or ord(key.upper())
        if key not in CODES or key == 'Enter':
            told['text'] = '\r' if key == 'Enter' else text
        self.call('Input.dispatchKeyEvent', type='keyDown', **told)
        told.pop('text', None)
        self.call('Input.dispatchKeyEvent', type='keyUp', **told)

    def write(self, text: str):
        """Write into what has the focus."""
        self.call('Input.insertText', text=text)

    def screen(self, width: int = 1280, height: int = 800, dark: bool = False):
        """How large the window is, and what its user prefers."""
        self.call(
            'Emulation.setDeviceMetricsOverride',
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}
        self.call('Emulation.setEmulatedMedia', features=[scheme])

    def picture(self, path, whole: bool = False):
        """A PNG of what is to be seen, or of the whole page."""
        told = self.call('Page.captureScreenshot', captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(told['data']))


@contextlib.contextmanager
def browsing():
    """A browser that is new, and gone when it was used."""
    trap = Trap()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder, trap)
        try:
            yield browser
        finally:
            browser.close()
            trap.shutdown()
            trap.server_close()
