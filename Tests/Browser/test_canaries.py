"""A canary in every field that the API describes, and then every page that links lead to.

Usage: test_canaries.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.

The fields come from the API's own description, so that a new one is not forgotten. A canary that runs
changes the page's title; one that only tries is told by the browser as a broken policy.
"""

import collections
import http.client
import json
import re
import sys
import urllib.parse
import uuid

from browser import Server, chromium
from selenium.webdriver.common.by import By
from test_pages import CANARY, Checks, errors, surface, wait

# Besides a whole element: out of an attribute, out of a script, and as an address.
CANARIES = (
    CANARY,
    "\"'><svg/onload=document.title='owned'>",
    "</script></textarea></title><script>document.title='owned'</script>",
    "javascript:document.title='owned'",
    "{{{canary}}}[x](javascript:document.title='owned')",
)
DAY = "2026-03-14"
# A day without a note, which offers templates.
EMPTY = "2026-03-11"
# What a page's own address is made of: an identity, a day, a number.
OPEN = re.compile(r"[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}|\d{4}-\d{2}(-\d{2})?|\d+")
PER_KIND, MOST = 3, 155


class API:
    def __init__(self, server):
        self.address = urllib.parse.urlsplit(server.url)
        self.token = server.token
        self.paths = {}
        self.schemas = {}
        described = self.ask("GET", "/openapi.json")[1]
        self.paths, self.schemas = described["paths"], described["components"]["schemas"]

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(
            self.address.hostname, self.address.port, timeout=600
        )
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        connection.request(method.upper(), f"/api/v1{path}", text, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        try:
            return answer.status, json.loads(content)
        except ValueError:
            return answer.status, None

    def fields(self, path, method):
        """The properties of an operation's body, from its description."""
        content = self.paths[path][method]["requestBody"]["content"]["application/json"]
        return self.properties(content["schema"])

    def properties(self, schema):
        if "$ref" in schema:
            return self.properties(self.schemas[schema["$ref"].rsplit("/", 1)[1]])
        found = dict(schema.get("properties", {}))
        for part in (*schema.get("allOf", ()), *schema.get("oneOf", ())[:1]):
            found = {**self.properties(part), **found}
        return found

    def write(self, method, path, described, fixed, canary):
        """Writes a canary into every field that takes text; what a rule refuses is left out.

        Returns the answer and the names of the fields that took it.
        """
        body = dict(fixed)
        for name, schema in self.fields(described, method).items():
            value = filled(schema, canary)
            if value is not None and name not in body:
                body[name] = value
        while True:
            status, answer = self.ask(method, path, body)
            if status < 400:
                return answer, set(body) - set(fixed)
            # The answer names the field that does not take it, or a part of it.
            refused = re.split(r"[.\[]", (answer or {}).get("field") or "")[0]
            if refused not in body or refused in fixed:
                return None, (status, answer)
            del body[refused]


def filled(schema, canary):
    """A canary in the shape of a field; None for fields of another kind."""
    types = schema.get("type", "object" if "properties" in schema else None)
    types = types if isinstance(types, list) else [types]
    if "string" in types and not {"format", "enum", "const"} & set(schema):
        return canary
    if "array" in types and schema.get("items", {}).get("type") == "string":
        return [canary] if not {"format", "enum"} & set(schema["items"]) else None
    return None


# What is made: operation, its address, and the fields that must be right for it to be made.
MADE = (
    ("post", "/activities", {"dayDate": DAY, "kind": "other", "source": "manual"}),
    ("post", "/goals", {"goalType": "Goal"}),
    ("post", "/values", {}),
    ("post", "/terms", {"termNumber": 7, "startDate": DAY}),
    ("post", "/actions", {"dayDate": DAY}),
    ("post", "/meetings", {"startDate": f"{DAY}T09:00:00Z", "endDate": f"{DAY}T10:00:00Z",
                           "timeZone": "Europe/Berlin"}),
    ("post", "/notes", {"dayKey": DAY}),
    ("post", "/people", {}),
    ("post", "/agents", {}),
    ("post", "/threads", {}),
    *(("put", "/templates/{id}", {"use": use}) for use in ("day", "note", "entry")),
)  # fmt: skip


def plant(checks, api):
    planted = collections.Counter()
    for canary in CANARIES:
        _, taken = api.write("put", f"/days/{DAY}", "/days/{dayKey}", {"mood": 3}, canary)
        if isinstance(taken, set):
            planted.update(f"day.{name}" for name in taken)
        for method, path, fixed in MADE:
            if path == "/terms":
                fixed = {**fixed, "termNumber": 7 + CANARIES.index(canary)}
            if path == "/templates/{id}":
                # A name is shorter than some canaries, and no two are alike.
                number = f"{CANARIES.index(canary)}{fixed['use'][0]}"
                fixed = {**fixed, "name": number + canary[:70], "weekdays": []}
            address = path.replace("{id}", str(uuid.uuid4()))
            answer, taken = api.write(method, address, path, fixed, canary)
            if answer is None:
                print(f"      {path} took no {canary[:30]!r}: {taken}")
                continue
            planted.update(f"{path.split('/')[1]}.{name}" for name in taken)
    status, answer = api.ask("PUT", "/prompts", {"prompts": list(CANARIES), "showsPrompts": True})
    checks.check("canaries lie in the prompts", status < 400, (status, answer))
    told = ", ".join(sorted(planted))
    checks.check("canaries lie in every kind of thing", len(planted) >= 25, told)
    print(f"      {len(planted)} fields: {told}")
    for kind in ("day", *dict.fromkeys(path.split("/")[1] for _, path, _ in MADE)):
        found = any(name.startswith(f"{kind}.") for name in planted)
        checks.check(f"one lies in {kind}", found)


def kind_of(path):
    """Addresses that differ only in what they name are of one kind."""
    return OPEN.sub("…", urllib.parse.urlsplit(path).path)


def crawl(checks, server, browser):
    """Follows every link to a page, some of each kind, and requires that no canary sings."""
    waiting = collections.deque(
        ["/", f"/day/{DAY}", f"/day/{DAY}/note/edit", "/calendar", "/calendar?of=week",
         "/search?query=owned", "/search?query=onerror", "/ask?question=what+did+I+do+today%3F",
         "/goals", "/values", "/terms", "/actions", "/life", "/goals/review", "/meetings", "/people",
         "/notes", "/promises", "/insights", "/recap", "/threads", "/settings", "/settings/tags",
         "/settings/history", "/settings/imports", "/settings/programs", "/settings/phone", "/settings/sync", "/settings/backup",
         "/settings/storage", "/settings/templates", "/map", "/map/days?span=all", "/photos", f"/day/{EMPTY}",
         f"/day/{EMPTY}/note/edit", "/notes/new"]
        + [f"/search?query={urllib.parse.quote(it)}" for it in CANARIES]
    )  # fmt: skip
    seen, kinds, bad = set(waiting), collections.Counter(), []
    visited = 0
    while waiting and visited < MOST:
        path = waiting.popleft()
        if kinds[kind_of(path)] >= PER_KIND + len(CANARIES):
            continue
        kinds[kind_of(path)] += 1
        visited += 1
        browser.get(server.url + path)
        browser.execute_script(
            "for (const one of document.querySelectorAll('details')) one.open = true")
        if browser.title == "owned":
            bad.append(f"{path} ran one")
        # Leading to a script needs a press; no link may do so.
        leading = browser.find_elements(By.CSS_SELECTOR, "[href^='javascript:' i]:not([data-bookmark]),[src^='javascript:' i]")
        if leading:
            bad.append(f"{path} leads to a script")
        inside = browser.execute_script(
            "return [...document.querySelectorAll('svg,img')].some((it) => it.onload || it.onerror)"
            " || [...document.scripts].some((it) => it.textContent.includes('owned'))")
        if inside:
            bad.append(f"{path} holds one as an element")
        bad += [f"{path}: {it}" for it in errors(browser) if "404" not in it]
        links = browser.execute_script(
            "return [...document.querySelectorAll('a[href]')].map((it) => it.getAttribute('href'))")
        for link in links:
            address = urllib.parse.urljoin(server.url + path, link or "")
            if not address.startswith(server.url + "/") or "/settings/storage/export" in address:
                continue
            short = address[len(server.url):].split("#")[0]
            if kind_of(short).endswith((".csv", ".svg", ".json", ".jsonl", ".zip", ".txt")):
                continue
            if short not in seen and kinds[kind_of(short)] < PER_KIND:
                seen.add(short)
                waiting.append(short)
    checks.check(f"no canary sings on {visited} pages of {len(kinds)} kinds", not bad, bad[:10])
    checks.check("links lead to many kinds of pages", len(kinds) > 30, sorted(kinds))


def begin(checks, server, browser):
    """Begins a day's note with each template that is offered, and a note on its own."""
    browser.get(f"{server.url}/day/{EMPTY}")
    buttons = browser.find_elements(By.CSS_SELECTOR, "#start-with [name=template]")
    offered = [one.get_attribute("value") for one in buttons]
    checks.check("a day without a note offers templates", len(offered) > 1, offered)
    for number, template in enumerate(offered):
        day = f"2026-02-{10 + number}"
        browser.get(f"{server.url}/day/{day}")
        browser.find_element(By.CSS_SELECTOR, f"#start-with [name=template][value='{template}']").click()
        note = wait(browser, lambda b: b.find_element(By.NAME, "note").get_attribute("value"))
        surface(browser)
        checks.check(f"template {number} begins a note and stays text", browser.title != "owned", note)
        for path in (f"/day/{day}", f"/day/{day}/note", "/"):
            browser.get(server.url + path)
            checks.check(f"{path} shows the note of template {number} as text", browser.title != "owned")
    browser.get(server.url + "/notes/new")
    browser.find_element(By.CSS_SELECTOR, "#start-with a").click()
    wait(browser, lambda b: "template=" in b.current_url and b.find_element(By.NAME, "note").get_attribute("value"))
    surface(browser)
    checks.check("a template begins a note on its own and stays text", browser.title != "owned")
    found = [line for line in errors(browser) if "404" not in line]
    checks.check("no script or policy error while templates begin notes", found == [], found[:3])


def main(arkived):
    checks = Checks()
    with Server(arkived) as server:
        api = API(server)
        plant(checks, api)
        with chromium() as browser:
            browser.get(server.login)
            crawl(checks, server, browser)
            begin(checks, server, browser)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
