// A model's words as they arrive, with a stop button. Without this script, the answer arrives as a whole.
"use strict";

function talkThrough(form) {
  const live = byId("talk-live");
  const text = byId("talk-text");
  const status = byId("talk-status");
  const stop = byId("talk-stop");
  let asking = null;

  function told(event) {
    if (event.piece) text.textContent += event.piece;
    if (event.error) status.textContent = event.error;
    if (event.location) {
      const place = new URL(event.location, location.href);
      const isHere = place.pathname === location.pathname;
      location.assign(place.href);
      if (isHere) location.reload();
    }
  }

  async function follow(answer) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop();
      for (const event of events) {
        if (event.startsWith("data: ")) told(JSON.parse(event.slice(6)));
      }
    }
  }

  async function send() {
    asking = new AbortController();
    let isLost = false;
    text.textContent = "";
    status.textContent = word("Thinking…");
    live.hidden = false;
    stop.hidden = false;
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form)), signal: asking.signal,
        credentials: "same-origin", headers: { Accept: "text/event-stream" },
      });
      const type = answer.headers.get("Content-Type") ?? "";
      if (answer.redirected) location.assign(answer.url);
      else if (answer.ok && type.startsWith("text/event-stream")) await follow(answer);
      else if (answer.status === 401) status.textContent = signedOut;
      else status.textContent = word("Couldn’t answer this. Try again.");
    } catch (error) {
      isLost = error.name !== "AbortError";
      status.textContent = !isLost
        ? word("Stopped. Nothing was saved. Your question is still in the field.")
        : word("Couldn’t reach Arkived. Your question is still in the field.");
    } finally {
      asking = null;
      stop.hidden = true;
      const key = form.elements.namedItem("idempotencyKey");
      // An answer that was saved before the connection broke is returned when the question is sent again.
      if (key && !isLost) key.value = freshKey();
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!asking) send();
  });
  stop.addEventListener("click", () => asking?.abort());
}

for (const form of document.querySelectorAll("form[data-streams]")) talkThrough(form);
