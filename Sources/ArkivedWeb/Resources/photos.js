// Photos: the grid of all months, in which only photos near the window are loaded, and the viewer.
"use strict";

(() => {
  const PART = 60;

  // MARK: The grid

  // Every month gets its height before its photos are loaded, so nothing moves and the scroll bar is correct
  // for a hundred thousand photos; its parts are created when it comes near.
  function startAlbum(album) {
    const months = [...album.querySelectorAll(".photo-month")].map((section) => {
      const body = element("div", "photo-body");
      const given = section.querySelector(".photo-grid");
      section.querySelector(".photo-rest")?.remove();
      const month = { section, body, key: section.dataset.month, count: Number(section.dataset.count), first: [] };
      if (given) {
        month.first = [...given.children];
        given.remove();
      }
      body.month = month;
      section.append(body);
      return month;
    });
    if (months.length === 0) return;
    const size = { tile: 0, gap: 0, columns: 1 };
    const heightOf = (count) => Math.ceil(count / size.columns) * (size.tile + size.gap);
    function measure() {
      const style = getComputedStyle(album);
      const width = album.clientWidth;
      size.columns = Number(style.getPropertyValue("--photo-columns"));
      // The style sheet may still be loading.
      if (!width || !size.columns) return void requestAnimationFrame(measure);
      size.gap = parseFloat(style.getPropertyValue("--photo-gap")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
      size.tile = (width - size.gap * (size.columns - 1)) / size.columns;
      for (const { body, count } of months) {
        body.style.height = `${heightOf(count)}px`;
        for (const block of body.children) block.style.height = `${heightOf(block.count)}px`;
      }
    }
    const nearMonths = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const { month } = target;
        if (isIntersecting && !target.firstChild) {
          for (let part = 0; part * PART < month.count; part++) {
            const block = element("ul", "photo-grid photo-block");
            Object.assign(block, { month: month.key, part, count: Math.min(PART, month.count - part * PART) });
            block.style.height = `${heightOf(block.count)}px`;
            if (part === 0) {
              block.append(...month.first);
              watch(block);
            }
            month.first = [];
            target.append(block);
            near.observe(block);
          }
        } else if (!isIntersecting && !target.contains(document.activeElement)) {
          for (const block of target.children) leave(block, true);
          target.replaceChildren();
        }
        month.section.classList.toggle("is-near", isIntersecting);
      }
    }, { rootMargin: "3000px 0px" });
    const near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(target.timer);
        if (isIntersecting) {
          if (!target.firstChild) target.timer = setTimeout(fill, 80, target);
        } else if (!target.contains(document.activeElement)) {
          leave(target);
        }
      }
    }, { rootMargin: "1200px 0px" });
    // A picture that is scrolled past while it waits doesn't keep those in view waiting. A browser asks for few
    // at a time, and goes on with those that it was asked for, even if they are no longer in the page.
    const pictures = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) giveUp(target);
        else if (target.dataset.waiting) {
          target.src = target.dataset.waiting;
          delete target.dataset.waiting;
        }
      }
    }, { rootMargin: "600px 0px" });
    function giveUp(picture) {
      if (picture.complete || picture.dataset.waiting) return;
      picture.dataset.waiting = picture.getAttribute("src");
      picture.removeAttribute("src");
    }
    function watch(block) {
      for (const picture of block.querySelectorAll("img")) pictures.observe(picture);
    }
    function leave(block, isGone = false) {
      clearTimeout(block.timer);
      block.asking?.abort();
      if (isGone) near.unobserve(block);
      for (const picture of block.querySelectorAll("img")) {
        pictures.unobserve(picture);
        giveUp(picture);
      }
      block.replaceChildren();
    }
    async function fill(block) {
      const control = new AbortController();
      block.asking = control;
      try {
        const answer = await fetch(`/photos/part?month=${block.month}&part=${block.part}`,
          { credentials: "same-origin", signal: control.signal });
        if (!answer.ok) throw new Error(answer.status);
        const other = new DOMParser().parseFromString(`<ul>${await answer.text()}</ul>`, "text/html");
        block.replaceChildren(...document.adoptNode(other.querySelector("ul")).children);
        watch(block);
      } catch {
        // It is cleared when it is far away.
        if (!control.signal.aborted) block.timer = setTimeout(fill, 3000, block);
      }
    }
    measure();
    new ResizeObserver(measure).observe(album);
    for (const { body } of months) nearMonths.observe(body);
    for (const link of document.querySelectorAll(".photo-jump [data-month]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        const title = byId(`t-${link.dataset.month}`);
        link.closest("details").open = false;
        title.parentElement.scrollIntoView();
        title.focus({ preventScroll: true });
      });
    }
  }

  // MARK: The viewer

  const viewer = { dialog: null, id: "", opener: null, zoom: 1, x: 0, y: 0, number: 0 };
  const idOf = (link) => link?.getAttribute("href").split("/").pop();
  const large = (id) => `/attachments/${id}/thumbnail?size=large`;

  function makeDialog() {
    const dialog = element("dialog", "photo-dialog");
    dialog.setAttribute("aria-label", word("Photo"));
    const close = element("button", "photo-close", "×");
    close.type = "button";
    close.setAttribute("aria-label", word("Close"));
    close.addEventListener("click", () => dialog.close());
    dialog.append(close);
    dialog.addEventListener("close", () => {
      const tile = document.querySelector(`a[data-photo="${viewer.id}"], a:has(> img[data-photo="${viewer.id}"])`)
        ?? viewer.opener;
      dialog.remove();
      viewer.dialog = null;
      tile?.focus({ preventScroll: false });
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {
        ArrowLeft: () => step("prev"), ArrowRight: () => step("next"),
        "+": () => zoomTo(viewer.zoom * 1.5), "-": () => zoomTo(viewer.zoom / 1.5), 0: () => zoomTo(1),
      }[event.key];
      event.stopPropagation();
      if (!act) return;
      event.preventDefault();
      act();
    });
    dialog.addEventListener("click", (event) => {
      const link = event.target.closest("a[rel]");
      if (!link) return;
      event.preventDefault();
      step(link.rel);
    });
    gestures(dialog);
    document.body.append(dialog);
    return dialog;
  }

  async function show(id, opener) {
    const number = ++viewer.number;
    if (!viewer.dialog) {
      viewer.opener = opener;
      viewer.dialog = makeDialog();
      viewer.dialog.showModal();
    }
    viewer.id = id;
    let figure;
    try {
      const answer = await fetch(`/photos/view/${id}`, { credentials: "same-origin" });
      const other = new DOMParser().parseFromString(await answer.text(), "text/html");
      figure = document.adoptNode(other.getElementById("photo-view"));
    } catch {
      figure = null;
    }
    if (number !== viewer.number || !viewer.dialog) return;
    if (!figure) {
      viewer.dialog.close();
      location.assign(`/photos/view/${id}`);
      return;
    }
    figure.removeAttribute("id");
    figure.querySelector("img").draggable = false;
    viewer.dialog.querySelector("figure")?.remove();
    viewer.dialog.append(figure);
    viewer.dialog.setAttribute("aria-label", figure.querySelector("img").alt);
    viewer.dialog.querySelector(".photo-close").focus();
    zoomTo(1);
    // The neighbouring photos are loaded in advance.
    for (const link of figure.querySelectorAll("a[rel]")) new Image().src = large(idOf(link));
  }

  function step(rel) {
    const link = viewer.dialog?.querySelector(`a[rel="${rel}"]`);
    if (link) show(idOf(link));
  }

  function zoomTo(zoom, x = viewer.x, y = viewer.y) {
    const image = viewer.dialog?.querySelector(".photo-large");
    if (!image) return;
    viewer.zoom = Math.max(1, Math.min(6, zoom));
    const room = [(image.clientWidth * (viewer.zoom - 1)) / 2, (image.clientHeight * (viewer.zoom - 1)) / 2];
    viewer.x = Math.max(-room[0], Math.min(room[0], x));
    viewer.y = Math.max(-room[1], Math.min(room[1], y));
    image.style.transform = viewer.zoom === 1 ? "" : `translate(${viewer.x}px, ${viewer.y}px) scale(${viewer.zoom})`;
  }

  function gestures(dialog) {
    const pointers = new Map();
    let start = null;
    const isImage = (event) => event.target.classList.contains("photo-large");
    dialog.addEventListener("pointerdown", (event) => {
      if (!isImage(event) || event.button !== 0) return;
      event.target.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      start = { x: event.clientX, y: event.clientY, isPinch: pointers.size > 1 };
    });
    dialog.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      pointers.set(event.pointerId, now);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        start.isPinch = true;
        const far = (place) => Math.max(20, Math.hypot(place[0] - other[0], place[1] - other[1]));
        zoomTo(viewer.zoom * (far(now) / far(before)));
      } else if (viewer.zoom > 1) {
        zoomTo(viewer.zoom, viewer.x + now[0] - before[0], viewer.y + now[1] - before[1]);
      }
    });
    const release = (event) => {
      if (!pointers.delete(event.pointerId) || pointers.size > 0 || start.isPinch || viewer.zoom > 1) return;
      const across = event.clientX - start.x;
      const down = event.clientY - start.y;
      if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) step(across > 0 ? "prev" : "next");
      else if (down > 90 && down > 2 * Math.abs(across)) dialog.close();
    };
    dialog.addEventListener("pointerup", release);
    dialog.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    dialog.addEventListener("dblclick", (event) => { if (isImage(event)) zoomTo(viewer.zoom > 1 ? 1 : 2.5, 0, 0); });
    dialog.addEventListener("wheel", (event) => {
      if (!isImage(event)) return;
      event.preventDefault();
      zoomTo(viewer.zoom * 2 ** Math.max(-0.5, Math.min(0.5, -event.deltaY / 300)));
    }, { passive: false });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a");
    const id = link && (link.dataset.photo ?? link.querySelector("img[data-photo]")?.dataset.photo);
    if (!id || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(id, link);
  });
  if (document.querySelector("[data-page=photo]")) {
    document.addEventListener("keydown", (event) => {
      // Alt and an arrow belong to the browser.
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
      if (rel && !isTyping(event.target)) document.querySelector(`.photo-steps [rel="${rel}"]`)?.click();
    });
  }
  whenShown((root) => {
    for (const album of root.querySelectorAll("[data-album]")) startAlbum(album);
  });
})();
