// Keeps what is marked as live up to date, and says so. No page needs this script to be read.
"use strict";
(() => {
  const status = () => document.getElementById("live-status");
  const say = (state, text) => {
    const badge = status();
    if (badge && badge.dataset.state !== state) {
      badge.dataset.state = state;
      badge.textContent = text;
    }
  };
  // A page in the background, a dialog, or somebody who selects text: leave it as it is.
  const busy = () => document.hidden || !document.getSelection().isCollapsed;
  let late = false;
  const refresh = () => {
    if (busy()) { late = true; return; }
    late = false;
    htmx.trigger(document.body, "madcast:tick");
  };
  let source;
  const connect = () => {
    source = new EventSource("/events");
    source.addEventListener("tick", (event) => {
      say("live", "live");
      const alerts = document.getElementById("alert-count");
      if (alerts) {
        alerts.textContent = event.data;
        alerts.hidden = event.data === "0";
      }
      refresh();
    });
    source.onerror = () => {
      say("away", "service away, trying again");
      if (source.readyState === EventSource.CLOSED) { setTimeout(connect, 3000); }
    };
  };
  document.addEventListener("visibilitychange", () => { if (late) { refresh(); } });
  // The focus and the scroll positions survive a refresh.
  const key = (element) => element && (element.id || element.getAttribute("href") || element.getAttribute("hx-post"));
  let kept = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const active = document.activeElement;
    kept = {
      focus: active && active.closest("#live") ? key(active) : null,
      scrolls: [...document.querySelectorAll("#live .scroll")].map((it) => it.scrollLeft),
    };
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!kept) { return; }
    document.querySelectorAll("#live .scroll").forEach((it, i) => { it.scrollLeft = kept.scrolls[i] || 0; });
    if (kept.focus) {
      const again = [...document.querySelectorAll("#live a, #live button, #live [tabindex]")].find((it) => key(it) === kept.focus);
      if (again) { again.focus({ preventScroll: true }); }
    }
    kept = null;
  });
  document.addEventListener("htmx:responseError", (event) => {
    say("away", event.detail.xhr.status === 404 ? "gone" : "the service answered " + event.detail.xhr.status);
  });
  // What a cell of a heat map means, for who points at it. The tables say the same without a pointer.
  let tip = null;
  const hide = () => { if (tip) { tip.hidden = true; } };
  document.addEventListener("pointermove", (event) => {
    const cell = event.target.closest && event.target.closest("svg.grid path");
    if (!cell) { hide(); return; }
    const { rows, shades, columns, from, step } = cell.ownerSVGElement.dataset;
    const box = cell.ownerSVGElement.getBoundingClientRect();
    const names = rows.split("|");
    const row = Math.min(names.length - 1, Math.floor((event.clientY - box.top) / box.height * names.length));
    const column = Math.floor((event.clientX - box.left) / box.width * Number(columns));
    const at = new Date(1000 * (Number(from) + column * Number(step))).toISOString();
    if (!tip) {
      tip = document.createElement("div");
      tip.className = "tip";
      tip.setAttribute("role", "status");
      document.querySelector("main").append(tip);
    }
    tip.textContent = `${names[row]}, ${at.slice(0, 10)} ${at.slice(11, 19)} UTC: ${shades.split("|")[Number(cell.getAttribute("class").slice(1))]}`;
    tip.hidden = false;
    tip.style.left = Math.max(0, Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = event.clientY + 16 + "px";
  });
  document.addEventListener("scroll", hide, { passive: true });
  document.addEventListener("DOMContentLoaded", connect);
  window.addEventListener("pagehide", () => source && source.close());
})();
