// The map: coasts, borders and towns from this computer, and the archive's data on top. It is drawn on a
// canvas in the Web Mercator plane, whose square has sides from 0 to 1; a world at zoom z is 256 · 2^z points
// wide. Groups of entries are buttons on top of it.
"use strict";

(() => {
  const SIDE = 8192;
  const EDGE = 48;
  const zooms = { least: 0, most: 18 };
  const assets = document.querySelector("script[src]").getAttribute("src").split("?")[1];

  const toX = (lon) => lon / 360 + 0.5;
  const toY = (lat) => {
    const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI) / 180);
    return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  };
  const toLon = (x) => (x - 0.5) * 360;
  const toLat = (y) => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
  const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
  const plain = (value) => value.toLocaleString(document.documentElement.lang);

  // MARK: Squares of the base map

  // Decodes a square into paths (Scripts/world_map.py describes the format).
  function decode(buffer) {
    const bytes = new Uint8Array(buffer);
    const square = { land: new Path2D(), coast: new Path2D(), lakes: new Path2D(), borders: new Path2D() };
    let place = 0;
    const number = () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const byte = bytes[place++];
        value += (byte & 127) * factor;
        if (byte < 128) return value;
      }
    };
    const step = () => {
      const value = number();
      return value & 1 ? -(value + 1) / 2 : value / 2;
    };
    // A line along the square's edge is a cut, not a coast.
    const isCut = (a, b) => a === b && (a <= -EDGE || a >= SIDE + EDGE);
    while (place < bytes.length) {
      const layer = bytes[place++];
      const fill = [null, square.land, square.lakes, square.borders][layer];
      for (let lines = number(); lines > 0; lines--) {
        let [x, y, firstX, firstY, isPen] = [0, 0, 0, 0, false];
        for (let points = number(), index = 0; index < points; index++) {
          const [oldX, oldY] = [x, y];
          x += step();
          y += step();
          if (index === 0) {
            [firstX, firstY] = [x, y];
            fill.moveTo(x, y);
            continue;
          }
          fill.lineTo(x, y);
          if (layer !== 1) continue;
          const isShown = !isCut(oldX, x) && !isCut(oldY, y);
          if (isShown && !isPen) square.coast.moveTo(oldX, oldY);
          if (isShown) square.coast.lineTo(x, y);
          isPen = isShown;
        }
        if (layer === 3) continue;
        fill.closePath();
        if (layer === 1 && !isCut(x, firstX) && !isCut(y, firstY)) {
          if (!isPen) square.coast.moveTo(x, y);
          square.coast.lineTo(firstX, firstY);
        }
      }
    }
    return square;
  }

  // Shared by all maps of a page.
  const squares = new Map();
  function squareAt(zoom, x, y, version, isThere) {
    const key = `${zoom}/${x}/${y}`;
    if (!squares.has(key)) {
      squares.set(key, null);
      fetch(`/map/squares/${key}?v=${version}`, { credentials: "same-origin" })
        .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(key))))
        .then((buffer) => { squares.set(key, decode(buffer)); isThere(); })
        // Requested again when the map is moved.
        .catch(() => setTimeout(() => squares.delete(key), 5000));
    }
    return squares.get(key);
  }

  let countries;
  const fetchJSON = (address, signal) => fetch(address, {
    credentials: "same-origin", signal, headers: { Accept: "application/json" },
  }).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.status))));

  // MARK: A map

  function startMap(root) {
    const isPart = "part" in root.dataset;
    const detail = root.dataset.detail;
    const query = root.dataset.query;
    const frame = element("div", "map-frame");
    const canvas = element("canvas");
    const marks = element("div", "map-marks");
    const ink = element("div", "map-ink");
    const tools = element("div", "map-tools");
    const foot = element("div", "map-foot");
    const scale = element("span", "map-scale");
    const status = element("div", "visually-hidden");
    status.setAttribute("role", "status");
    const again = element("button", "button button-small", word("Try again"));
    again.type = "button";
    again.addEventListener("click", () => {
      frame.focus({ preventScroll: true });
      load();
    });
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label",
      word("Map, {1}. Arrow keys move it, plus and minus zoom, 0 shows everything.", root.dataset.label));
    canvas.setAttribute("aria-hidden", "true");
    const inks = {};
    for (const name of ["water", "land", "coast", "border", "country", "town", "way"]) {
      inks[name] = ink.appendChild(element("i", name));
    }
    const sources = ["Natural Earth"];
    if ("towns" in root.dataset) sources.push("GeoNames");
    foot.append(scale, element("span", "", sources.join(" · ")));
    const tool = (label, sign, act) => {
      const button = element("button", "", sign);
      button.type = "button";
      button.setAttribute("aria-label", label);
      button.title = label;
      button.addEventListener("click", act);
      tools.append(button);
    };
    tool(word("Zoom in"), "+", () => zoomBy(1));
    tool(word("Zoom out"), "−", () => zoomBy(-1));
    tool(word("Show everything"), "⤢", () => fit());
    frame.append(canvas, marks, tools, foot);
    root.append(frame, ink, status);

    const view = { x: 0.5, y: 0.45, zoom: 1 };
    const shown = { answer: null, ways: [], towns: [], clusters: "" };
    let [width, height, drawing, asking, timer, panel] = [0, 0, 0, null, 0, null];
    const side = (zoom = view.zoom) => 256 * 2 ** zoom;

    // MARK: Camera

    function settle() {
      view.zoom = clamp(view.zoom, Math.max(zooms.least, Math.log2(height / 256)), zooms.most);
      const half = height / 2 / side();
      view.y = half > 0.5 ? 0.5 : clamp(view.y, half, 1 - half);
      view.x -= Math.floor(view.x);
    }
    function changed(isSettled = true) {
      settle();
      draw();
      clearTimeout(timer);
      timer = setTimeout(load, isSettled ? 120 : 250);
    }
    function zoomBy(step, at = [width / 2, height / 2]) {
      const before = [view.x + (at[0] - width / 2) / side(), view.y + (at[1] - height / 2) / side()];
      view.zoom = clamp(view.zoom + step, Math.log2(height / 256), zooms.most);
      view.x = before[0] - (at[0] - width / 2) / side();
      view.y = before[1] - (at[1] - height / 2) / side();
      changed();
    }
    function panBy(dx, dy) {
      view.x -= dx / side();
      view.y -= dy / side();
      changed(false);
    }
    function fit(box = shown.answer?.bounds) {
      if (!box) return;
      const [left, top, bottom] = [toX(box.west), toY(box.north), toY(box.south)];
      let right = toX(box.east);
      if (right < left) right += 1;
      const room = [Math.max(80, width - 96), Math.max(80, height - 96)];
      const zoom = Math.min(
        Math.log2(room[0] / 256 / Math.max(right - left, 1e-9)),
        Math.log2(room[1] / 256 / Math.max(bottom - top, 1e-9)));
      // Around a single place, the map is zoomed in as far as its coasts and towns are detailed enough.
      const isPlace = Math.max(right - left, bottom - top) < 1e-7;
      const most = !isPlace ? 13 : detail ? 11 : 6;
      Object.assign(view, { x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(zoom, most) });
      changed();
    }

    // MARK: The archive's data

    function area(margin) {
      const [w, h] = [(width / 2 / side()) * margin, (height / 2 / side()) * margin];
      const isAll = w >= 0.5;
      const round = (value) => value.toFixed(5);
      const west = isAll ? -180 : toLon(view.x - w - Math.floor(view.x - w));
      const east = isAll ? 180 : toLon(view.x + w - Math.floor(view.x + w));
      return `west=${round(west)}&east=${round(east)}&south=${round(toLat(Math.min(1, view.y + h)))}`
        + `&north=${round(toLat(Math.max(0, view.y - h)))}`;
    }
    function fail(isFailed) {
      status.className = isFailed ? "map-panel" : "visually-hidden";
      status.replaceChildren(...isFailed ? [element("p", "", word("The map couldn’t be loaded.")), again] : []);
    }
    async function load() {
      asking?.abort();
      const control = new AbortController();
      asking = control;
      delete root.dataset.settled;
      const zoom = clamp(Math.round(view.zoom), 0, 18);
      const first = !shown.answer;
      try {
        const answer = await fetchJSON(
          `/api/v1/map?${query}${first ? "" : `&${area(1.5)}&zoom=${zoom}`}`, control.signal);
        if (control.signal.aborted) return;
        fail(false);
        take(answer, first);
        if (first) return fit();
        // Routes are read in several steps.
        if (answer.waysUnread > 0) timer = setTimeout(load, 30);
        if ("towns" in root.dataset) {
          shown.towns = await fetchJSON(`/map/towns?${area(1.2)}`, control.signal);
          draw();
        }
        // Every mark is in place once the next frame is drawn.
        requestAnimationFrame(() => requestAnimationFrame(() => {
          if (!control.signal.aborted) root.dataset.settled = "";
        }));
      } catch {
        if (control.signal.aborted) return;
        fail(true);
        root.dataset.settled = "";
      }
    }
    function take(answer, isWithoutMarks) {
      shown.answer = answer;
      shown.ways = answer.ways.map((way) => {
        const path = new Path2D();
        for (const line of way.lines) {
          line.forEach(([lon, lat], index) => {
            const [x, y] = [toX(lon) * 65536, toY(lat) * 65536];
            if (index) path.lineTo(x, y); else path.moveTo(x, y);
          });
        }
        return path;
      });
      // The groups of the first response aren't for a particular zoom.
      if (isWithoutMarks) return;
      // While routes are being read, the groups don't change.
      const clusters = JSON.stringify(answer.clusters);
      if (clusters !== shown.clusters) placeMarks();
      shown.clusters = clusters;
      draw();
    }
    function placeMarks() {
      const focused = document.activeElement?.dataset?.key;
      marks.replaceChildren(...shown.answer.clusters.map((cluster) => {
        const mark = element("button", "map-mark");
        mark.type = "button";
        mark.cluster = cluster;
        mark.dataset.key = `${cluster.lat} ${cluster.lon}`;
        mark.dataset.size = Math.min(4, `${cluster.entries}`.length);
        const count = cluster.entries > 1 ? short(cluster.entries) : "";
        mark.append(element("span", "", count));
        if (cluster.photo) {
          const image = element("img");
          Object.assign(image, {
            src: `/attachments/${cluster.photo}/thumbnail?size=small`, alt: "", decoding: "async", draggable: false,
          });
          mark.classList.add("has-photo");
          mark.prepend(image);
          mark.lastChild.textContent = cluster.photos > 1 ? short(cluster.photos) : "";
          mark.lastChild.hidden = cluster.photos < 2;
        }
        mark.setAttribute("aria-label", sentence(cluster));
        mark.title = sentence(cluster);
        mark.addEventListener("click", () => open(mark));
        return mark;
      }));
      if (focused) marks.querySelector(`[data-key="${focused}"]`)?.focus({ preventScroll: true });
    }
    const short = (count) => (count < 1000 ? `${count}` : `${(count / 1000).toLocaleString(
      document.documentElement.lang, { maximumFractionDigits: count < 10000 ? 1 : 0 },
    )}k`);
    function sentence(cluster) {
      const parts = [cluster.entries === 1 ? word("1 entry") : word("{1} entries", plain(cluster.entries))];
      if (cluster.days > 1) parts.push(word("{1} days", plain(cluster.days)));
      else parts.push(new Date(`${cluster.from}T12:00`).toLocaleDateString(readersLocale));
      if (cluster.photos) parts.push(cluster.photos === 1 ? word("1 photo") : word("{1} photos", plain(cluster.photos)));
      return (cluster.place ? `${cluster.place}: ` : "") + parts.join(", ");
    }

    // Opens the days of a group; on the page of a day, there is only that day, so the map zooms in.
    async function open(mark) {
      const { cluster } = mark;
      const nearer = () => {
        close();
        fit(cluster.area);
        frame.focus({ preventScroll: true });
      };
      if (isPart) return nearer();
      if (cluster.days === 1 && cluster.entries === 1) return location.assign(`/day/${cluster.from}`);
      close();
      panel = element("section", "map-panel");
      panel.setAttribute("aria-label", sentence(cluster));
      panel.append(element("h3", "", cluster.place ?? sentence(cluster)));
      const acts = panel.appendChild(element("p", "actions"));
      const list = panel.appendChild(element("div"));
      const act = (label, action) => {
        const button = element("button", "button button-small", label);
        button.type = "button";
        button.addEventListener("click", action);
        acts.append(button);
      };
      act(word("Zoom in"), nearer);
      act(word("Close"), () => { close(); mark.focus({ preventScroll: true }); });
      frame.append(panel);
      mark.setAttribute("aria-expanded", "true");
      acts.lastChild.focus({ preventScroll: true });
      const { west, south, east, north } = cluster.area;
      try {
        const answer = await fetch(
          `/map/days?${query}&west=${west}&south=${south}&east=${east}&north=${north}`,
          { credentials: "same-origin" });
        const other = new DOMParser().parseFromString(await answer.text(), "text/html");
        list.replaceChildren(...document.adoptNode(other.getElementById("map-list")).childNodes);
      } catch {
        list.textContent = word("The map couldn’t be loaded.");
      }
    }
    function close() {
      panel?.remove();
      panel = null;
      marks.querySelector("[aria-expanded]")?.removeAttribute("aria-expanded");
    }

    // MARK: Drawing

    function draw() {
      drawing ||= requestAnimationFrame(() => { drawing = 0; drawNow(); });
    }
    function drawNow() {
      if (!root.isConnected || !width) return;
      const ratio = Math.min(3, devicePixelRatio || 1);
      const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
      const pen = canvas.getContext("2d");
      const colour = {};
      for (const name of Object.keys(inks)) colour[name] = getComputedStyle(inks[name]).color;
      const font = getComputedStyle(root).fontFamily;
      pen.setTransform(1, 0, 0, 1, 0, 0);
      pen.fillStyle = colour.water;
      pen.fillRect(0, 0, w, h);
      const world = side() * ratio;
      // The corner of the world that begins left of the view.
      const left = w / 2 - view.x * world;
      const top = h / 2 - view.y * world;
      const copies = [];
      for (let turn = -Math.ceil(left / world) - 1; left + turn * world < w; turn++) {
        if (left + (turn + 1) * world > 0) copies.push(turn);
      }
      const level = view.zoom < 1.7 ? 0 : view.zoom < 5 || !detail ? 2 : 5;
      for (const turn of copies) drawSquares(pen, level, left + turn * world, top, world, w, h, ratio, colour);
      pen.lineJoin = pen.lineCap = "round";
      pen.strokeStyle = colour.way;
      for (const turn of copies) {
        const factor = world / 65536;
        pen.setTransform(factor, 0, 0, factor, left + turn * world, top);
        pen.lineWidth = (2.5 * ratio) / factor;
        pen.globalAlpha = shown.ways.length > 40 ? 0.55 : 0.85;
        for (const way of shown.ways) pen.stroke(way);
      }
      pen.globalAlpha = 1;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      // Names don't overlap the scale, the sources and the marks.
      const taken = [[0, height - 26, 110, height], [width - 180, height - 22, width, height]];
      for (const mark of marks.children) {
        const { lat, lon } = mark.cluster;
        let x = (toX(lon) - view.x) * side();
        x -= Math.round(x / side()) * side();
        const y = (toY(lat) - view.y) * side() + height / 2;
        x += width / 2;
        mark.hidden = x < -40 || y < -40 || x > width + 40 || y > height + 40;
        if (!mark.hidden) taken.push([x - 16, y - 16, x + 16, y + 16]);
        mark.style.transform = `translate(calc(${x.toFixed(1)}px - 50%), calc(${y.toFixed(1)}px - 50%))`;
      }
      drawNames(pen, copies.map((turn) => left / ratio + turn * side()), top / ratio, colour, font, taken);
      drawScale();
    }
    function drawSquares(pen, level, left, top, world, w, h, ratio, colour) {
      const count = 2 ** level;
      const size = world / count;
      const [x1, x2] = [clamp(Math.floor(-left / size), 0, count - 1), clamp(Math.floor((w - left) / size), 0, count - 1)];
      const [y1, y2] = [clamp(Math.floor(-top / size), 0, count - 1), clamp(Math.floor((h - top) / size), 0, count - 1)];
      let isWhole = true;
      const found = [];
      for (let x = x1; x <= x2; x++) {
        for (let y = y1; y <= y2; y++) {
          const square = squareAt(level, x, y, level === 5 ? detail : assets.slice(2), draw);
          if (square) found.push([square, x, y]); else isWhole = false;
        }
      }
      // Until all squares are loaded, coarser ones are shown below them.
      if (!isWhole && level > 0) drawSquares(pen, level === 5 ? 2 : 0, left, top, world, w, h, ratio, colour);
      const factor = size / SIDE;
      for (const [square, x, y] of found) {
        pen.save();
        pen.setTransform(factor, 0, 0, factor, left + x * size, top + y * size);
        pen.beginPath();
        pen.rect(-EDGE / 4, -EDGE / 4, SIDE + EDGE / 2, SIDE + EDGE / 2);
        pen.clip();
        if (!isWhole) {
          pen.fillStyle = colour.water;
          pen.fillRect(0, 0, SIDE, SIDE);
        }
        pen.fillStyle = colour.land;
        pen.fill(square.land, "evenodd");
        pen.strokeStyle = colour.coast;
        pen.lineWidth = ratio / factor;
        pen.stroke(square.coast);
        pen.fillStyle = colour.water;
        pen.fill(square.lakes, "evenodd");
        pen.strokeStyle = colour.border;
        pen.setLineDash([(4 * ratio) / factor, (3 * ratio) / factor]);
        pen.stroke(square.borders);
        pen.restore();
      }
    }
    function drawNames(pen, lefts, top, colour, font, taken) {
      countries ??= fetchJSON(`/map/names?${assets}`).then((names) => { countries = names; draw(); })
        .catch(() => { countries = []; });
      const write = (text, x, y, size, weight, tint, isDot) => {
        pen.font = `${weight} ${size}px ${font}`;
        const length = pen.measureText(text).width;
        const start = isDot ? x + 6 : x - length / 2;
        const box = [start - 3, y - size, start + length + 3, y + size * 0.6];
        if (box[0] < 0 || box[2] > width || box[1] < 0 || box[3] > height) return;
        if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) return;
        taken.push(box);
        pen.textBaseline = "middle";
        pen.lineWidth = 3;
        pen.lineJoin = "round";
        pen.strokeStyle = colour.land;
        pen.fillStyle = tint;
        if (isDot) {
          pen.beginPath();
          pen.arc(x, y, 2.2, 0, 7);
          pen.fill();
        }
        pen.strokeText(text, start, y);
        pen.fillText(text, start, y);
      };
      for (const left of lefts) {
        if (view.zoom < 6.5 && Array.isArray(countries)) {
          for (const one of countries) {
            if (one.zoom > view.zoom + 0.7) continue;
            write(one.name, left + toX(one.lon) * side(), top + toY(one.lat) * side(), 12, 600, colour.country, false);
          }
        }
        if (view.zoom < 3.5) continue;
        // As many towns as the zoom has space for, the largest first.
        const least = view.zoom < 5 ? 1e6 : view.zoom < 6.5 ? 2e5 : view.zoom < 8 ? 5e4 : 0;
        for (const one of shown.towns) {
          if (one.people < least) continue;
          write(one.name, left + toX(one.lon) * side(), top + toY(one.lat) * side(),
            one.people > 3e5 ? 13 : 12, one.people > 3e5 ? 600 : 400, colour.town, true);
        }
      }
    }
    function drawScale() {
      const metres = (40075017 * Math.cos((toLat(view.y) * Math.PI) / 180)) / side();
      const power = 10 ** Math.floor(Math.log10(metres * 100));
      const length = [5, 2, 1].map((step) => step * power).find((one) => one <= metres * 100) ?? power;
      scale.style.width = `${(length / metres).toFixed(0)}px`;
      scale.textContent = length >= 1000 ? `${plain(length / 1000)} km` : `${plain(length)} m`;
    }

    // MARK: Mouse, touch, keys

    const pointers = new Map();
    let start = null;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.target.closest(".map-tools, .map-panel")) return;
      pointers.set(event.pointerId, local(event));
      start = { moved: 0 };
    });
    function local(event) {
      const box = frame.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    }
    frame.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before || !start) return;
      const now = local(event);
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      pointers.set(event.pointerId, now);
      if (others.length === 0) {
        start.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
        // During a tap, a finger moves slightly.
        if (start.moved < 4) return;
        if (!frame.hasPointerCapture(event.pointerId)) frame.setPointerCapture(event.pointerId);
        frame.classList.add("is-dragged");
        return panBy(now[0] - before[0], now[1] - before[1]);
      }
      start.moved = 99;
      const other = others[0];
      const distance = (a) => Math.max(20, Math.hypot(a[0] - other[0], a[1] - other[1]));
      panBy((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      zoomBy(Math.log2(distance(now) / distance(before)), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    });
    const release = (event) => {
      pointers.delete(event.pointerId);
      frame.classList.toggle("is-dragged", pointers.size > 0);
      // The click that ends a drag comes immediately; later clicks are intentional.
      if (pointers.size === 0) setTimeout(() => { start = null; });
    };
    frame.addEventListener("pointerup", release);
    frame.addEventListener("pointercancel", release);
    frame.addEventListener("lostpointercapture", (event) => {
      // The touched element captures a finger first, and loses it to the frame when a drag begins.
      if (event.target === frame) release(event);
    });
    frame.addEventListener("click", (event) => {
      // The end of a drag isn't a tap.
      if (start?.moved >= 4 && event.target.closest(".map-mark")) {
        event.stopPropagation();
        event.preventDefault();
      }
    }, true);
    frame.addEventListener("dblclick", (event) => {
      if (!event.target.closest(".map-tools, .map-panel, .map-mark")) zoomBy(1, local(event));
    });
    frame.addEventListener("wheel", (event) => {
      if (event.target.closest(".map-panel")) return;
      // If the map is part of a page, the wheel scrolls the page.
      if (isPart && !event.ctrlKey && !frame.contains(document.activeElement)) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      zoomBy(clamp((-event.deltaY * lines) / (event.ctrlKey ? 100 : 300), -1, 1), local(event));
    }, { passive: false });
    const keys = {
      ArrowLeft: () => panBy(80, 0), ArrowRight: () => panBy(-80, 0), ArrowUp: () => panBy(0, 80),
      ArrowDown: () => panBy(0, -80), "+": () => zoomBy(1), "=": () => zoomBy(1), "-": () => zoomBy(-1),
      0: () => fit(), Home: () => fit(),
      Escape: () => {
        const mark = marks.querySelector("[aria-expanded]");
        close();
        mark?.focus({ preventScroll: true });
      },
    };
    frame.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = keys[event.key];
      if (!act || event.key === "Escape" && !panel) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    });

    new ResizeObserver(() => {
      [width, height] = [frame.clientWidth, frame.clientHeight];
      settle();
      draw();
    }).observe(frame);
    [width, height] = [frame.clientWidth, frame.clientHeight];
    root.draw = draw;
    load();
    draw();
  }

  // One listener for all maps, which doesn't keep those of days that were left.
  for (const media of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
    matchMedia(media).addEventListener("change", () => {
      for (const map of document.querySelectorAll("[data-map]")) map.draw?.();
    });
  }

  // A map further down is drawn when it scrolls into view.
  const coming = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      coming.unobserve(entry.target);
      startMap(entry.target);
    }
  }, { rootMargin: "200px" });
  whenShown((root) => {
    for (const map of root.querySelectorAll("[data-map]:empty")) coming.observe(map);
  });
})();
