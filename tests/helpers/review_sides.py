"""The pages of `review` on which a page is displayed beside others, in a browser."""

READY = (
    '!!document.querySelector("#text .patch") && '
    '!!document.querySelector("#other .patch")'
)
SAID = 'document.querySelector("#said").textContent'
FOUND = '[...document.querySelectorAll("#other .found")].map(one => one.textContent)'
CURRENT = """[...document.querySelectorAll('#sources button')]
  .findIndex(one => one.ariaCurrent === 'true') + 1"""


def opened(browser, url: str, width: int = 1280):
    browser.goto('about:blank')
    browser.requests.clear()
    browser.said.clear()
    browser.trap.asked.clear()
    browser.screen(width)
    browser.goto(url)
    browser.wait(READY)
