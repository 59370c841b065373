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
  document.addEventListener("DOMContentLoaded", connect);
  window.addEventListener("pagehide", () => source && source.close());
})();
