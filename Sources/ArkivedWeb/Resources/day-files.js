// Files and voice recordings on the day page: dropped, pasted, chosen or recorded. Loaded after day.js.
"use strict";

// MARK: Sending files

const uploadLimit = 256 * 1024 * 1024;

// The buttons of a recording stay until it is saved or discarded; any other strip is shown below it.
function uploadStrip(words, isVoice = false) {
  const voice = page.querySelector(".upload.is-voice");
  const other = page.querySelector(".upload:not(.is-voice)");
  if (isVoice) voice?.remove();
  else other?.remove();
  if (isVoice && other) other.id = "upload-more";
  const isBelow = voice !== null && !isVoice;
  const strip = element("div", isVoice ? "upload is-voice" : "upload");
  strip.id = isBelow ? "upload-more" : "upload";
  strip.setAttribute("data-keep", "");
  strip.append(element("span", "", words));
  (isBelow ? voice : byId("attach") ?? page.querySelector("h1")).after(strip);
  return strip;
}

// Sends a form and shows its progress; resolves to the response, or null if there was none.
function sendFiles(address, body, words, headers = {}) {
  const strip = uploadStrip(words);
  const bar = element("progress");
  bar.max = 1;
  bar.setAttribute("aria-label", words);
  const stop = element("button", "button button-small button-plain", word("Cancel"));
  stop.type = "button";
  strip.append(bar, stop);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const end = (answer) => {
      strip.remove();
      resolve(answer);
    };
    request.open("POST", address);
    request.setRequestHeader("Accept", "text/html");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.addEventListener("load", () => end(request));
    request.addEventListener("error", () => end(null));
    request.addEventListener("abort", () => end("stopped"));
    stop.addEventListener("click", () => request.abort());
    request.send(body);
  });
}

const isEntryEditor = livePage.kind === "activity-edit";

async function attachFiles(files, address) {
  const chosen = [...files];
  if (chosen.length === 0) return;
  const size = chosen.reduce((sum, file) => sum + file.size, 0);
  if (size > uploadLimit) {
    toast.tell(
      word("Together, these files are larger than {1} MB. Put them in the inbox folder, where each becomes an entry, or attach them with arkived add --attach.", uploadLimit / 1024 / 1024),
      "error", leadTo("/settings/capture#inbox", word("Inbox folder")));
    return;
  }
  const body = new FormData();
  for (const file of chosen) body.append("files", file, file.name || "file");
  const words = chosen.length === 1 ? word("Attaching {1}", chosen[0].name || word("a file")) : word("Attaching {1} files", chosen.length);
  say(words);
  reading.isHeld = isEntryEditor;
  const answer = await sendFiles(address, body, words);
  if (answer === "stopped") say(word("Nothing was attached"));
  else if (!answer) toast.tell(word("Couldn’t reach Arkived. Nothing was attached."));
  else if (answer.status === 401) toast.tell(signedOut);
  // If the files can't be read again, they are shown with the next change.
  else if (takeAnswer(answer.status < 400, answer.responseText) && isEntryEditor) await takeFiles().catch(() => {});
  reading.isHeld = false;
}

// An entry's own page keeps the text being typed; only its files are loaded again.
async function takeFiles() {
  const answer = await fetch(page.dataset.refresh, { credentials: "same-origin", cache: "no-store" });
  if (!answer.ok) return;
  const other = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = other.getElementById("files");
  if (fresh) become(byId("files"), fresh);
  const [own, newest] = [byId("edit"), other.getElementById("edit")];
  const isSame = [...own.elements].every((field) => field.name === "version"
    || field.defaultValue === newest.elements[field.name]?.defaultValue);
  if (!isSame || own.isBehind) return;
  for (const field of page.querySelectorAll("input[name=version]")) {
    field.value = newest.elements.version.value;
  }
}

const attachForm = () => page?.querySelector("[data-attaches]");
if (attachForm()) {
  const ownAddress = () => attachForm().getAttribute("action");
  document.addEventListener("change", (event) => {
    if (!event.target.closest("[data-attaches]")) return;
    attachFiles(event.target.files, ownAddress());
    event.target.value = "";
  });
  document.addEventListener("paste", (event) => {
    const files = event.clipboardData?.files ?? [];
    if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    attachFiles(files, ownAddress());
  });
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  const ownWords = {
    day: word("Attach to this day"), meeting: word("Attach to this meeting"),
    "free-note": word("Attach to this note"),
  }[livePage.kind] ?? word("Attach to this entry");
  const wordsBelow = isDay ? word("Attach to this entry") : word("Attach to this note");
  const entryBelow = (event) => event.target.closest?.(isDay ? ".entry" : "[data-drop-files]") ?? null;
  let veil = null;
  const unveil = () => {
    veil?.remove();
    veil = null;
    for (const marked of page.querySelectorAll(".is-drop")) marked.classList.remove("is-drop");
  };
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    const entry = entryBelow(event);
    for (const marked of page.querySelectorAll(".is-drop")) {
      if (marked !== entry) marked.classList.remove("is-drop");
    }
    entry?.classList.add("is-drop");
    if (!veil) {
      veil = element("p", "drop-here");
      document.body.append(veil);
    }
    veil.textContent = entry ? wordsBelow : ownWords;
    veil.classList.toggle("is-small", entry !== null);
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) unveil(); });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const entry = entryBelow(event);
    unveil();
    const address = entry?.dataset.dropFiles
      ?? (entry ? `/activities/${entry.id.slice("activity-".length)}/attachments` : ownAddress());
    attachFiles(event.dataTransfer.files, address);
  });
}

// MARK: Waiting recordings

const finished = (store, request) => new Promise((resolve) => {
  store.transaction.oncomplete = () => resolve(request.result ?? true);
  store.transaction.onabort = () => resolve(null);
});

// The parts of a recording, stored as they arrive: if the tab is closed before Stop, they are found again.
const soundParts = {
  async ask(mode, act) {
    try {
      this.opened ??= new Promise((resolve, reject) => {
        const request = indexedDB.open("arkived-recordings", 1);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("parts", { keyPath: ["key", "number"] });
        };
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const store = (await this.opened).transaction("parts", mode).objectStore("parts");
      return await finished(store, act(store));
    } catch {
      return null;
    }
  },
  range(key) { return IDBKeyRange.bound([key, 0], [key, Infinity]); },
  keep(part) { return this.ask("readwrite", (store) => store.put(part)); },
  drop(key) { return this.ask("readwrite", (store) => store.delete(this.range(key))); },
  of(key) { return this.ask("readonly", (store) => store.getAll(this.range(key))); },
};

// A recording is stored in the browser until the archive has it.
const waiting = {
  isLockedOut: false,
  async store(mode) {
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open("arkived", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("voice", { keyPath: "key" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return database.transaction("voice", mode).objectStore("voice");
  },
  // Resolves to null if it failed; a full disk is noticed only at the very end.
  async ask(mode, name, ...values) {
    try {
      const store = await this.store(mode);
      return await finished(store, store[name](...values));
    } catch {
      return null;
    }
  },
  keep(note) { return this.ask("readwrite", "put", note); },
  async drop(key) {
    await soundParts.drop(key);
    return this.ask("readwrite", "delete", key);
  },
  async all() { return (await this.ask("readonly", "getAll")) ?? []; },
};

const voiceEnding = (type) => (/ogg/.test(type) ? "ogg" : /mp4/.test(type) ? "m4a" : "webm");

async function sendVoice(note) {
  if (!await isOwnServer()) return false;
  const body = new FormData();
  body.append("files", note.sound, `Voice note.${voiceEnding(note.sound.type)}`);
  const query = new URLSearchParams({ at: note.at });
  const answer = await sendFiles(
    `/day/${note.day}/voice-notes?${query}`, body, word("Saving the voice note"),
    { "Idempotency-Key": note.key, [ownMark]: "page" });
  const isOwn = answer instanceof XMLHttpRequest && answer.getResponseHeader(ownMark) === "1";
  waiting.isLockedOut = isOwn && answer.status === 401;
  if (!isOwn || answer.status >= 500 || waiting.isLockedOut) return false;
  if (answer.status >= 400) return refused(note, answer);
  await waiting.drop(note.key);
  takeAnswer(true, answer.responseText);
  return true;
}

// A recording that the archive refuses isn't lost: it can be saved as a file.
function refused(note, answer) {
  takeAnswer(false, answer.responseText);
  offerFile(note);
  return true;
}

function offerFile(note) {
  const strip = uploadStrip(word("Couldn’t save a voice note."));
  const link = leadTo(URL.createObjectURL(note.sound), word("Save as a file"));
  link.download = `Voice note ${note.at.slice(0, 10)}.${voiceEnding(note.sound.type)}`;
  strip.append(link, voiceButton(word("Discard"), async () => {
    await waiting.drop(note.key);
    strip.remove();
  }, "button-plain"));
}

const recordingLock = (key) => `arkived-recording-${key}`;

// A recording that was never stopped because its tab was closed, unless another tab is recording it at the
// moment.
async function recovered(note) {
  const isOver = await navigator.locks.request(
    recordingLock(note.key), { ifAvailable: true }, (lock) => lock !== null);
  const parts = isOver ? await soundParts.of(note.key) : null;
  if (!parts) return null;
  const sound = new Blob(parts.map((part) => part.sound), { type: note.type });
  const whole = { key: note.key, day: note.day, at: note.at, sound, isDraft: true, wasCut: true };
  const isKept = sound.size > 0 ? await waiting.keep(whole) : await waiting.drop(note.key);
  if (isKept !== null) await soundParts.drop(note.key);
  return sound.size > 0 ? whole : null;
}

let voiceRetry = 0;
async function sendWaiting() {
  clearTimeout(voiceRetry);
  for (const kept of await waiting.all()) {
    const note = kept.isRecording ? await recovered(kept) : kept;
    if (!note) continue;
    if (note.isDraft) {
      // It was recorded but neither saved nor discarded.
      if (!recorder.machine && !byId("upload")) listenTo(note);
      continue;
    }
    if (await sendVoice(note)) continue;
    uploadStrip(waiting.isLockedOut
      ? word("A voice note hasn’t been saved yet. It’s kept in this browser until you sign in again.")
      : word("A voice note hasn’t been saved yet. It will be sent once Arkived can be reached again."));
    voiceRetry = setTimeout(sendWaiting, 8000);
    return;
  }
}

// MARK: Recording

const recorder = { machine: null, isStarting: false, stream: null, parts: [], timer: 0, began: 0, release: null };
const lengthText = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function stopHearing() {
  clearInterval(recorder.timer);
  for (const track of recorder.stream?.getTracks() ?? []) track.stop();
  recorder.release?.();
  recorder.stream = recorder.machine = recorder.release = null;
}

function voiceButton(words, what, kind = "") {
  const button = element("button", `button button-small ${kind}`, words);
  button.type = "button";
  button.addEventListener("click", what);
  return button;
}

async function record() {
  // The microphone takes a while, and a second press would record into the same note.
  if (recorder.machine || recorder.isStarting) return;
  recorder.isStarting = true;
  const { day } = livePage;
  let machine;
  try {
    recorder.stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    machine = new MediaRecorder(recorder.stream);
  } catch {
    stopHearing();
    toast.tell(word("Couldn’t use the microphone. Allow it for this page in your browser."));
    return;
  } finally {
    recorder.isStarting = false;
  }
  Object.assign(recorder, { machine, parts: [], began: Date.now() });
  const key = freshKey();
  const began = new Date(recorder.began).toISOString();
  machine.addEventListener("dataavailable", (event) => {
    const number = recorder.parts.push(event.data);
    soundParts.keep({ key, number, sound: event.data });
  });
  navigator.locks.request(recordingLock(key), () => {
    const type = machine.mimeType;
    waiting.keep({ key, day, at: began, type, isRecording: true });
    return new Promise((release) => { recorder.release = release; });
  });
  const strip = uploadStrip("", true);
  strip.classList.add("is-recording");
  const clock = element("span", "tabular voice-clock", word("Recording 0:00"));
  clock.setAttribute("role", "timer");
  // It also stops by itself, for example when the microphone is unplugged; what was recorded until then is kept.
  let isCancelled = false;
  machine.addEventListener("stop", async () => {
    const sound = new Blob(recorder.parts, { type: machine.mimeType });
    const note = { key, day, at: began, sound, isDraft: true };
    const isKept = !isCancelled && sound.size > 0;
    // Without space for the whole recording, its parts are the only copy.
    const isStored = await (isKept ? waiting.keep(note) : waiting.drop(key));
    if (isStored !== null) await soundParts.drop(key);
    stopHearing();
    if (isKept) listenTo(note).focus();
    else strip.remove();
  }, { once: true });
  const end = (keeps) => {
    if (machine.state === "inactive") return;
    isCancelled = !keeps;
    machine.stop();
  };
  const stop = voiceButton(word("Stop"), () => end(true), "button-primary");
  strip.replaceChildren(clock, stop, voiceButton(word("Cancel"), () => end(false), "button-plain"));
  machine.start(1000);
  stop.focus();
  recorder.timer = setInterval(() => {
    clock.textContent = word("Recording {1}", lengthText(Math.floor((Date.now() - recorder.began) / 1000)));
  }, 500);
  say(word("Recording"));
}

// The recording can be heard before it is saved.
function listenTo(note) {
  const strip = uploadStrip(note.wasCut ? word("Unfinished voice note") : word("Voice note"), true);
  const player = element("audio");
  player.controls = true;
  player.setAttribute("aria-label", word("The recording"));
  const address = URL.createObjectURL(note.sound);
  player.src = address;
  const close = () => {
    URL.revokeObjectURL(address);
    strip.remove();
  };
  const save = voiceButton(word("Save"), async () => {
    close();
    note.isDraft = false;
    const isKept = (await waiting.keep(note)) !== null;
    if (await sendVoice(note)) return;
    // A recording that doesn't fit into the browser's storage can't wait.
    if (isKept) sendWaiting();
    else offerFile(note);
  }, "button-primary");
  const discard = voiceButton(word("Discard"), () => {
    close();
    waiting.drop(note.key);
  }, "button-plain");
  strip.append(player, save, discard);
  return save;
}

if (isDay && "MediaRecorder" in window && navigator.mediaDevices) {
  whenShown(() => {
    const button = voiceButton("", record, "button-plain");
    button.id = "record";
    button.append(icon("audio"), element("span", "", word("Voice note")));
    // Added at the end, so the other buttons stay in place.
    attachForm()?.append(button);
  });
}
if (isDay && "indexedDB" in window) sendWaiting();
