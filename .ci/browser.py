"""The watch page in a real browser: it shows a session, and moves as the session does.

    browser.py SERVER

Needs chromium, chromedriver and selenium.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

WORLD = "two-switch-v1"


def call(url: str, method: str, body: dict[str, Any] | None = None) -> Any:
    """One request in JSON; text where the reply is none."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=20) as reply:
        text = reply.read().decode()
        return json.loads(text) if "json" in reply.headers.get("Content-Type", "") else text


def open_browser(profile: str) -> webdriver.Chrome:
    """A headless Chromium with an empty profile, that talks to nobody by itself."""
    options = Options()
    options.binary_location = shutil.which("chromium") or "chromium"
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def text(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "body").text


def watch(browser: webdriver.Chrome, base: str, view: str) -> None:
    """Opens the page on a session: by its address, or by typing the view id."""
    browser.get(f"{base}/?view={view}#{view}")
    if WORLD not in text(browser):
        fields = [i for i in browser.find_elements(By.TAG_NAME, "input") if i.is_displayed()]
        if fields and not fields[0].get_attribute("value"):
            fields[0].send_keys(view, Keys.ENTER)
    WebDriverWait(browser, 20).until(lambda b: WORLD in text(b), f"the page never named {WORLD}")


def pictures(browser: webdriver.Chrome) -> int:
    """Pictures, canvases and boards of text that show something."""
    return browser.execute_script(
        "return [...document.querySelectorAll('img')].filter(i => i.naturalWidth > 10).length"
        " + document.querySelectorAll('canvas').length"
        " + [...document.querySelectorAll('pre')].filter(p => p.innerText.split('\\n').length > 3).length"
    )


def check(browser: webdriver.Chrome, base: str) -> None:
    session = call(f"{base}/v1/sessions", "POST", {"env": WORLD, "seed": 3})
    url = f"{base}/v1/sessions/{session['id']}"
    call(f"{url}/reset", "POST", {"seq": 1})
    watch(browser, base, session["view"])
    wait = WebDriverWait(browser, 20)
    wait.until(lambda b: pictures(b) > 0, "the page shows no picture of the world")
    agents = session["spec"]["agents"]
    for agent in agents:
        assert agent in text(browser), f"{agent} is not on the page:\n{text(browser)}"

    before = text(browser)
    for seq in range(2, 7):
        call(f"{url}/step", "POST", {"seq": seq, "actions": {a: seq % 5 for a in agents}})
    wait.until(lambda b: text(b) != before, "five steps changed nothing on the page")
    wait.until(lambda b: "5" in text(b), "the page never told of step 5")

    call(url, "DELETE")
    severe = [e for e in browser.get_log("browser") if e["level"] == "SEVERE" and "favicon" not in e["message"]]
    assert not severe, severe
    print(f"watched {WORLD}: {len(agents)} agents, {pictures(browser)} picture(s)\n{before}")


def main() -> None:
    """Serves a session, watches it, and ends both."""
    server = subprocess.Popen(
        [sys.argv[1], "serve", "--listen", "127.0.0.1:0", "--exit-with-stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout
    try:
        base = "http://" + json.loads(server.stdout.readline())["tcp"].removeprefix("http://")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = open_browser(profile)
            try:
                check(browser, base)
            finally:
                browser.quit()
    finally:
        server.stdin.close()
        server.wait(timeout=30)
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
