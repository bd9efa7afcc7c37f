// The page of runs: the list, one in work as it goes on, its report, two side by side.

import { $, count, el, fault, fixed, get, listen, post } from "./talk.js";

const address = new URLSearchParams(location.search);
let name = address.get("name") ?? "", other = address.get("other") ?? "";
let stopWatch = null, plot = null, plotted = "";

const span = (s) => (s < 1 ? "under a second" : s < 60 ? `${Math.round(s)} s` : s < 3600 ? `${Math.floor(s / 60)} min ${Math.round(s % 60)} s` : `${(s / 3600).toFixed(1)} h`);
// rate is how often something is done, in the shortest time in which it is done once.
function rate(perSecond) {
  const [seconds, per] = [[1, "s"], [60, "min"], [3600, "h"]].find(([s]) => perSecond * s >= 1) ?? [86400, "day"], n = perSecond * seconds;
  return `${n < 10 ? fixed(n, 1) : count(n)}/${per}`;
}

const stagesOf = (r) => `${r.stages} ${r.stages === 1 ? "stage" : "stages"}${r.finished ? "" : " finished"}`;
const stateOf = (r) => (r.fault ? r.fault : r.working === "here" ? "in work" : r.working === "elsewhere" ? "in work in another program" : r.finished ? "finished" : "unfinished, can be resumed");

async function showList() {
  const runs = await get("/api/runs");
  $("list").replaceChildren(...runs.map((r) => el("tr", { class: r.name === name ? "chosen" : "" },
    el("th", { scope: "row" }, el("a", { href: "?" + new URLSearchParams({ name: r.name }), click: (e) => { e.preventDefault(); choose(r.name); } }, r.name)),
    el("td", {}, stateOf(r)), el("td", { class: "number" }, String(r.stages)), el("td", { class: "optional" }, new Date(r.written * 1000).toLocaleString("en-GB")),
    el("td", {}, r.working === "here" ? el("button", { type: "button", click: () => act("stop", r.name) }, "Stop", el("span", { class: "hidden" }, ` ${r.name}`))
      : r.finished || r.working || r.fault ? "" : el("button", { type: "button", click: () => act("resume", r.name) }, "Resume", el("span", { class: "hidden" }, ` ${r.name}`))))));
  const options = runs.map((r) => r.name).filter((n) => n !== name);
  $("other").replaceChildren(el("option", { value: "" }, "nothing"), ...options.map((n) => el("option", {}, n)));
  $("other").value = options.includes(other) ? other : "";
  if (!runs.length) $("status").textContent = "There are no runs in the folder that is served. Begin one below.";
  return runs;
}

const said = { stop: "stops …", resume: "goes on.", new: "begins." };

async function act(what, run, more = {}) {
  try {
    await post("/api/run/" + what, { name: run, ...more }, "");
    fault(null);
    $("status").textContent = `${run} ${said[what]}`;
    await choose(run);
  } catch (e) {
    fault(e.message);
  }
}

// choose shows a run, and follows it while it is in work.
async function choose(run) {
  name = run;
  history.replaceState(null, "", "?" + new URLSearchParams({ name, ...(other && { other }) }));
  stopWatch?.();
  try {
    await showList();
    if (name) {
      await showOne();
      watch();
    }
  } catch (e) {
    fault(e.message);
  }
  document.documentElement.dataset.ready = "true";
}

function watch() {
  const run = name;
  let was = -1, here = false;
  const state = (s) => {
    here = s.working === "here";
    drawStages(s);
    if (s.stages !== was && was >= 0) { showList(); }
    was = s.stages;
  };
  stopWatch = listen("/api/run/watch", { name: run }, {
    state: (s) => { $("live").hidden = false; $("status").textContent = `${run}: ${stateOf(s)}, ${stagesOf(s)}.`; state(s); },
    done: async (s) => {
      state(s);
      $("status").textContent = `${run}: ${s.failed || stateOf(s)}, ${stagesOf(s)}.`;
      await showList();
      await showOne();
    },
    failed: (f) => fault(f.error),
    lost: () => awaitServer(run, here),
  });
}

// awaitServer goes on with the page when the server is there again: a run that was in work in it
// has stopped with it, and can be resumed.
async function awaitServer(run, here) {
  if (here) {
    $("status").textContent = "";
    const row = $("list").querySelector(".chosen");
    row?.cells[1].replaceChildren("stopped with the server");
    row?.cells[4].replaceChildren();
    fault(`The server has ended, and ${run} has stopped with it. What was finished is kept. Start the server again: this page then offers to resume.`);
  }
  await get("/api/runs");
  if (name !== run) return;
  fault(null);
  await choose(run);
}

// inWords are keys of a configuration that do not speak for themselves.
const inWords = { n: "positions", hash_mb: "hash table, MiB", set: "features", select: "selection", omega: "ω", method: "drawn" };

// settingsOf reads the settings of a configuration by their names: parts, and in each its
// settings.
function settingsOf(config) {
  let part = "";
  const parts = new Map([["", new Map()]]);
  for (const line of config.split("\n")) {
    const [, table] = /^\s*\[([^\]]+)\]/.exec(line) ?? [], [, key, value] = /^\s*([\w.-]+)\s*=\s*("[^"]*"|[^#]*)/.exec(line) ?? [];
    if (table) parts.set(part = table.replaceAll(".", " ").replaceAll("_", " "), new Map());
    else if (key) parts.get(part).set(inWords[key] ?? key.replaceAll("_", " "), value.trim().replace(/^"(.*)"$/, "$1"));
  }
  return parts;
}

// settingsBeside are the settings of a configuration, as far as they can be compared with
// those of another: a part that the other lacks is one row.
function settingsBeside(mine, other) {
  const rows = new Map();
  for (const part of new Set([...mine.keys(), ...other.keys()])) {
    const [here, there] = [mine.get(part), other.get(part)];
    if (!here || !there) rows.set(part, here ? "yes" : "none");
    else for (const [key, value] of here) rows.set(part ? `${part}: ${key}` : key, value);
  }
  return rows;
}

// sideBySide are two lists of named values as a table: all of the first, or with a second
// what differs.
function sideBySide(title, a, b, here, there) {
  const names = [...new Set([...here.keys(), ...(there?.keys() ?? [])])], unlike = there ? names.filter((k) => here.get(k) !== there.get(k)) : names;
  if (!unlike.length) return [el("h3", {}, title), el("p", { class: "note" }, !names.length ? "None yet." : `All ${names.length} are the same.`)];
  return [el("h3", {}, title), el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, there ? "What differs" : "Figure"), el("th", { scope: "col", class: "number" }, a.name), there ? el("th", { scope: "col", class: "number" }, b.name) : null)),
    el("tbody", {}, unlike.map((k) => el("tr", {}, el("th", { scope: "row" }, k), el("td", { class: "number" }, here.get(k) ?? "–"), there ? el("td", { class: "number" }, there.get(k) ?? "–") : null)))),
  there && unlike.length < names.length ? el("p", { class: "note" }, names.length - unlike.length === 1 ? "The other one is the same." : `The other ${names.length - unlike.length} are the same.`) : ""];
}

// drawStages shows how far the stages are, and what the one in work has done so far.
function drawStages(s) {
  $("live").hidden = !s.now?.length;
  $("stages").replaceChildren(...(s.now ?? []).map((t) => {
    const bar = el("progress", { max: t.total || 1, value: t.state.startsWith("done") ? t.total || 1 : t.done, "aria-label": t.title });
    return el("tr", { class: t.state }, el("th", { scope: "row" }, t.title), el("td", {}, bar, el("span", { class: "note" }, t.state === "working" ? `${count(t.done)} of ${count(t.total)} ${t.unit}` : t.state + (t.state === "done" ? ` in ${span(t.seconds)}` : ""))),
      el("td", { class: "number" }, t.rate && t.state === "working" ? rate(t.rate) : ""), el("td", { class: "number" }, t.to_go ? span(t.to_go) : ""));
  }));
  const long = (t) => t.points?.length > 2 && t.points.at(-1)[0] > 0.5;
  const at = s.now?.findLast((t) => t.state === "working" && long(t)) ?? s.now?.filter(long).sort((a, b) => b.seconds - a.seconds)[0];
  if (at && globalThis.uPlot) drawPlot(at);
}

function drawPlot(t) {
  const data = [t.points.map((p) => p[0]), t.points.map((p) => p[1])];
  if (plot && plotted === t.title) return plot.setData(data);
  plot?.destroy();
  plotted = t.title;
  const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--muted"), grid = style.getPropertyValue("--grid"), blue = style.getPropertyValue("--blue");
  const axis = { stroke: ink, grid: { stroke: grid }, ticks: { stroke: grid } };
  plot = new globalThis.uPlot({
    width: Math.max(240, $("plot").clientWidth), height: 200, scales: { x: { time: false } }, legend: { show: false }, cursor: { show: false },
    axes: [{ ...axis, label: "seconds", labelSize: 20 }, { ...axis, size: 64, label: t.unit, labelSize: 20 }], series: [{}, { stroke: blue, width: 2, fill: blue + "22" }],
  }, data, $("plot"));
  $("plot").setAttribute("aria-label", `${t.title}: ${t.unit} done over time`);
}

function settingsSideBySide(a, b) {
  const [here, there] = [settingsOf(a.config), settingsOf(b.config)];
  return sideBySide("Settings", a, b, settingsBeside(here, there), settingsBeside(there, here));
}

async function showOne() {
  const run = name;
  const [a, b] = await Promise.all([get("/api/run", { name: run }), other && other !== run ? get("/api/run", { name: other }) : null]);
  $("one").hidden = false;
  $("one-title").textContent = a.name;
  const figures = (r) => new Map(r.figures.map(([k, v]) => [k, fixed(v)]));
  $("figures").replaceChildren(...sideBySide("Figures", a, b, figures(a), b && figures(b)), ...(b ? settingsSideBySide(a, b) : []));
  const seconds = new Map(b?.times?.map((t) => [t.title, t.seconds])), most = Math.max(1e-9, ...(a.times ?? []).map((t) => t.seconds));
  $("times").replaceChildren(el("h3", {}, "Time"), a.times?.length ? el("table", {}, b ? el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Stage"), el("th", { scope: "col", class: "number" }, a.name), el("th", { scope: "col", class: "number" }, b.name), el("td", {}))) : null, el("tbody", {}, a.times.map((t) => {
    const bar = el("span", { class: "bar" });
    bar.style.width = `${(100 * t.seconds) / most}%`;
    return el("tr", {}, el("th", { scope: "row" }, t.title), el("td", { class: "number" }, `${t.seconds.toFixed(1)} s`), b ? el("td", { class: "number" }, seconds.has(t.title) ? `${seconds.get(t.title).toFixed(1)} s` : "–") : null, el("td", { class: "bars" }, bar));
  }))) : el("p", { class: "note" }, "None yet."));
  $("config").textContent = a.config;
  const src = "/runs/report?" + new URLSearchParams({ name: a.name });
  $("report").replaceChildren(...(a.report ? [el("h3", {}, "Report"), el("p", {}, el("a", { href: src }, "Open the report by itself")), el("iframe", { src, title: `Report of ${a.name}`, sandbox: "", load: (e) => { e.target.dataset.loaded = "true"; } })] : []));
}

$("new").addEventListener("submit", (e) => {
  e.preventDefault();
  act("new", $("new-name").value, { preset: $("preset").value });
});
$("other").addEventListener("change", () => { other = $("other").value; choose(name); });
get("/api/runs").then((runs) => choose(name || runs[0]?.name || ""), (e) => { fault(e.message); document.documentElement.dataset.ready = "true"; });
