// Keeps the part that is marked as live up to date, and shows its state. Pages can be read without this script.
"use strict";
(() => {
  const status = () => document.getElementById("live-status");
  const say = (state, text) => {
    const badge = status();
    if (badge && badge.textContent !== text) {
      badge.dataset.state = state;
      badge.textContent = text;
    }
  };
  const part = () => document.getElementById("live");
  const time = () => new Date().toISOString().slice(11, 19);
  // What the page shows is from then, and is no longer fetched anew once it is gone.
  let asOf = time();
  let gone = false;
  const old = (why) => say("away", part() ? `${why}, as of ${asOf} UTC` : why);
  const fresh = () => {
    asOf = time();
    say("live", part() ? "live" : "connected");
  };
  // The element whose request is under way. It stays: a button that a refresh has replaced would not
  // learn of a failure.
  let asking = null;
  const isRefresh = (event) => event.detail.requestConfig.elt === part();
  // No refresh in the background, during a request, or while text is selected.
  const busy = () => document.hidden || asking || !document.getSelection().isCollapsed;
  let late = false;
  const refresh = () => {
    if (busy()) {
      late = true;
      if (part() && !document.hidden && !asking) { say("", "paused while text is selected"); }
      return;
    }
    late = false;
    if (part() && !gone) { htmx.trigger(document.body, "madcast:tick"); }
  };
  // In place of a page that could not be made, that page, once it can.
  let trying = false;
  const retry = () => {
    if (trying) { return; }
    trying = true;
    fetch(location.href, { headers: { Accept: "text/html" } })
      .then((answer) => { if (answer.status !== 503 && answer.status !== 429) { location.reload(); } }, () => {})
      .finally(() => { trying = false; });
  };
  let source;
  let failures = 0;
  const connect = () => {
    source = new EventSource("/events");
    source.addEventListener("tick", (event) => {
      failures = 0;
      if (!part()) { fresh(); }
      const alerts = document.getElementById("alert-count");
      if (alerts) {
        alerts.textContent = event.data;
        alerts.hidden = event.data === "0";
      }
      refresh();
      if (document.querySelector("[data-retry]")) { retry(); }
    });
    source.onerror = () => {
      // Once is a connection that had its time, or a network that hiccuped.
      if (++failures > 1 && !gone) { old("service away"); }
      if (source.readyState === EventSource.CLOSED) { setTimeout(connect, 3000); }
    };
  };
  document.addEventListener("visibilitychange", () => { if (late) { refresh(); } });
  // The focus and the scroll positions survive a refresh.
  const key = (element) => element.id || element.getAttribute("href") || element.getAttribute("hx-post") || element.tagName;
  const alike = (wanted) => [...document.querySelectorAll("#live :is(a, button, input, select, summary, [tabindex])")]
    .filter((it) => key(it) === wanted);
  let kept = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (asking && isRefresh(event)) {
      event.detail.shouldSwap = false;
      late = true;
      return;
    }
    const active = document.activeElement?.closest("#live *");
    kept = {
      focus: active && { key: key(active), place: alike(key(active)).indexOf(active) },
      scrolls: [...document.querySelectorAll("#live .scroll")].map((it) => it.scrollLeft),
    };
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!kept) { return; }
    document.querySelectorAll("#live .scroll").forEach((it, i) => { it.scrollLeft = kept.scrolls[i] || 0; });
    if (kept.focus) {
      const again = alike(kept.focus.key);
      (again[kept.focus.place] || again[0])?.focus({ preventScroll: true });
    }
    kept = null;
  });
  // A refresh that fails makes the page old; another request that fails is an alert.
  const failed = (event, why) => {
    if (isRefresh(event)) {
      old(why);
      return;
    }
    const line = document.getElementById("failure");
    line.textContent = `Not done: ${why}. Try again in a moment.`;
    line.hidden = false;
  };
  document.addEventListener("htmx:responseError", (event) => {
    const code = event.detail.xhr.status;
    // Signed out meanwhile: the page leads to where one signs in.
    if (code === 401) {
      location.reload();
      return;
    }
    gone = gone || (code === 404 && isRefresh(event));
    failed(event, code === 404 ? "no longer there" : code === 503 ? "database away" : `the service answered ${code}`);
  });
  document.addEventListener("htmx:sendError", (event) => failed(event, "service away"));
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!isRefresh(event)) {
      document.getElementById("failure").hidden = true;
      asking = event.detail.requestConfig.elt;
    }
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.elt === asking) { asking = null; }
    if (event.detail.successful) { fresh(); }
    if (late) { refresh(); }
  });
  // On a phone a row of a table is a card, whose values need the names of their columns.
  const cards = () => document.querySelectorAll(".scroll > table").forEach((table) => {
    const names = [...table.querySelectorAll("thead tr:only-child th")].map((it) => it.textContent);
    if (!names.length || table.closest(".lines") || table.classList.contains("matrix")) { return; }
    table.classList.add("cards");
    table.setAttribute("role", "table");
    table.querySelectorAll("tbody tr").forEach((row) => {
      row.setAttribute("role", "row");
      [...row.children].forEach((cell, i) => {
        cell.dataset.label = names[i] || "";
        cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
      });
    });
  });
  document.addEventListener("htmx:afterSwap", cards);
  document.addEventListener("DOMContentLoaded", cards);
  // What a cell of a heat map means, for who points at it. The tables say the same without a pointer.
  let tip = null;
  const hide = () => { if (tip) { tip.hidden = true; } };
  document.addEventListener("pointermove", (event) => {
    const cell = event.target.closest && event.target.closest("svg.grid path");
    if (!cell) { hide(); return; }
    const { rows, shades, columns, from, step, names: columnNames } = cell.ownerSVGElement.dataset;
    const box = cell.ownerSVGElement.getBoundingClientRect();
    const names = rows.split("|");
    const row = Math.min(names.length - 1, Math.floor((event.clientY - box.top) / box.height * names.length));
    const column = Math.floor((event.clientX - box.left) / box.width * Number(columns));
    const at = new Date(1000 * (Number(from) + column * Number(step))).toISOString();
    const where = columnNames ? columnNames.split("|")[column] : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
    if (!tip) {
      tip = document.createElement("div");
      tip.className = "tip";
      tip.setAttribute("role", "status");
      document.querySelector("main").append(tip);
    }
    tip.textContent = `${names[row]}, ${where}: ${shades.split("|")[Number(cell.getAttribute("class").slice(1))]}`;
    tip.hidden = false;
    tip.style.left = Math.max(0, Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = event.clientY + 16 + "px";
  });
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("DOMContentLoaded", () => {
    say("", "connecting");
    const promise = document.getElementById("retry");
    if (promise) { promise.hidden = false; }
    connect();
  });
  window.addEventListener("pagehide", () => source && source.close());
})();
