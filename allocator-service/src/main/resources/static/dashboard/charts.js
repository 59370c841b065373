// Draws the tables of values as lines. Without this script the tables stay.
"use strict";
(() => {
  const drawn = new Map();
  const opened = new Set();
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const scaled = (value, steps) => {
    const [size, sign] = value === 0 ? steps.at(-1) : steps.find(([it]) => Math.abs(value) >= it) || steps.at(-1);
    return `${Number((value / size).toPrecision(3))} ${sign}`;
  };
  const FORMATS = {
    "bit/s": (it) => scaled(it, [[1e9, "Gbit/s"], [1e6, "Mbit/s"], [1e3, "kbit/s"], [1, "bit/s"]]),
    "s": (it) => scaled(it, [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]]),
    "%": (it) => `${Number(it.toPrecision(3))} %`,
    "1/s": (it) => FORMATS["count"](it) + " /s",
    "count": (it) => scaled(it, [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]]).trim(),
  };
  const utc = (second) => uPlot.tzDate(new Date(second * 1e3), "Etc/UTC");
  const clock = uPlot.fmtDate("{HH}:{mm}:{ss}");
  const minute = uPlot.fmtDate("{HH}:{mm}");
  const day = uPlot.fmtDate("{D} {MMM}");
  const full = uPlot.fmtDate("{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}");
  const times = (chart, splits, axis, space, step) =>
    splits.map((it) => (step >= 86400 ? day : step >= 60 ? minute : clock)(utc(it)));
  const values = (figure) => {
    const rows = [...figure.querySelectorAll("details tbody tr")];
    const columns = figure.querySelectorAll("details thead th").length - 1;
    const data = [rows.map((it) => Number(it.dataset.second))];
    for (let i = 1; i <= columns; i++) {
      data.push(rows.map((it) => { const v = it.children[i].dataset.v; return v === "" ? null : Number(v); }));
    }
    return data;
  };
  const options = (figure, width) => {
    const { unit, log, from, to } = figure.dataset;
    const format = FORMATS[unit];
    const text = style("--pico-muted-color");
    const grid = { stroke: style("--line"), width: 1 };
    const names = [...figure.querySelectorAll("details thead th")].slice(1).map((it) => it.textContent);
    return {
      width, height: 170, padding: [8, 16, 0, 0], tzDate: utc, legend: { live: true },
      cursor: { sync: { key: "page" }, y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { range: [Number(from), Number(to)] },
        y: log === "true" ? { distr: 3 } : { range: (u, low, high) => [0, high > 0 ? high * 1.1 : 1] },
      },
      axes: [
        { stroke: text, grid, ticks: grid, values: times, space: 70, size: 30 },
        { stroke: text, grid, ticks: grid, size: width < 500 ? 76 : 84, space: 28,
          values: (u, splits) => splits.map((it) => (it === null ? "" : format(it))) },
      ],
      series: [
        { label: "Time", value: (u, it) => (it === null ? "–" : full(utc(it)) + " UTC") },
        ...names.map((label, i) => ({
          label, stroke: style(`--line${i + 1}`), width: 2, spanGaps: true,
          points: { show: figure.querySelectorAll("details tbody tr").length < 25, size: 5 },
          value: (u, it) => (it === null ? "–" : format(it)),
        })),
      ],
    };
  };
  const draw = (figure) => {
    const place = figure.querySelector(".plot");
    const details = figure.querySelector("details");
    details.open = opened.has(figure.id);
    details.addEventListener("toggle", () => { opened[details.open ? "add" : "delete"](figure.id); });
    figure.classList.add("drawn");
    const { from, to } = figure.dataset;
    const data = values(figure);
    const shape = JSON.stringify([figure.dataset.unit, data.length, data[0].length < 25]);
    const before = drawn.get(figure.id);
    if (before && before.shape === shape) {
      place.append(before.plot.root);
      before.plot.batch(() => {
        before.plot.setData(data, false);
        before.range.splice(0, 2, Number(from), Number(to));
        before.plot.setScale("x", { min: Number(from), max: Number(to) });
      });
      fit(before.plot, place);
      return;
    }
    if (before) { before.plot.destroy(); }
    const wanted = options(figure, place.clientWidth);
    const range = wanted.scales.x.range;
    wanted.scales.x.range = () => range;
    drawn.set(figure.id, { shape, range, plot: new uPlot(wanted, data, place) });
  };
  const fit = (plot, place) => {
    if (place.clientWidth && plot.width !== place.clientWidth) { plot.setSize({ width: place.clientWidth, height: 170 }); }
  };
  const drawAll = () => {
    const figures = [...document.querySelectorAll("figure.lines")];
    figures.forEach(draw);
    for (const [id, { plot }] of drawn) {
      if (!figures.some((it) => it.id === id)) { plot.destroy(); drawn.delete(id); }
    }
  };
  const again = () => {
    drawn.forEach(({ plot }) => plot.destroy());
    drawn.clear();
    drawAll();
  };
  document.addEventListener("DOMContentLoaded", drawAll);
  document.addEventListener("htmx:afterSwap", drawAll);
  window.addEventListener("resize", () => drawn.forEach(({ plot }) => fit(plot, plot.root.parentElement)));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
})();
