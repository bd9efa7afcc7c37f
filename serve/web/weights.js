// The page of weights: what every house adds to a position, curves of houses, heat maps
// of patterns, two weights side by side.

import { $, count, el, fault, fixed, get, pairs, perPoint, seeds, signed, svg } from "./talk.js";
import { letters, sides, small } from "./draw.js";

const address = new URLSearchParams(location.search);

// inWords writes a value that may hold others. Errors are points.
function inWords(v) {
  if (typeof v === "number") return Number.isInteger(v) ? String(v) : v.toPrecision(5);
  if (Array.isArray(v)) return v.map(inWords).join(", ");
  return v && typeof v === "object" ? Object.entries(v).map(([k, x]) => `${k.replaceAll("_", " ")} ${/(mae|rmse)$/.test(k) ? `${fixed(x * perPoint, 2)} seeds` : inWords(x)}`).join(", ") : String(v);
}

// bar draws a number as a bar to the right or to the left.
function bar(v, most) {
  const width = 50 * Math.min(1, Math.abs(v) / most);
  return svg("svg", { viewBox: "0 0 100 10", class: "signed", "aria-hidden": "true" },
    svg("rect", { class: v < 0 ? "less" : "more", x: v < 0 ? 50 - width : 50, y: 1, width, height: 8 }), svg("line", { class: "zero", x1: 50, x2: 50, y1: 0, y2: 10 }));
}

// values is a table of names with their points as bars.
function values(label, list) {
  const most = Math.max(1e-9, ...list.map((x) => Math.abs(x.points)));
  return el("table", { class: "values", "aria-label": label }, el("tbody", {}, list.map((x) => el("tr", {}, el("th", { scope: "row" }, x.name), el("td", { class: "number" }, seeds(x.points)), el("td", { class: "bars" }, bar(x.points, most))))));
}

// contributions draws the board with a bar at each house.
function contributions(x) {
  // The server counts the side to move's houses first; the board begins with South's.
  const worth = letters.map((_, h) => x.houses[(h + 6 * x.turn) % 12].points);
  const board = small(x.shot.board, { values: worth.map((p) => seeds(p, 1)) });
  const most = Math.max(1e-9, ...worth.map(Math.abs));
  worth.forEach((p, h) => {
    const cx = 46 + (h < 6 ? h : 11 - h) * 41.5, tall = 30 * Math.abs(p) / most, y = h < 6 ? 95 : 51;
    board.append(svg("rect", { class: p < 0 ? "less" : "more", x: cx + 14, y: y - tall, width: 6, height: tall }, svg("title", {}, `${letters[h]} ${seeds(p)}`)));
  });
  return board;
}

// curve draws what seeds are worth in a house that holds some.
function curve(list, name, held, low, high) {
  const width = 150, height = 70, x = (n) => 4 + (n * (width - 8)) / (list.length - 1), y = (v) => 4 + ((high - v) * (height - 8)) / (high - low || 1);
  const now = Math.min(held, list.length - 1);
  return el("figure", { class: "column-card" }, el("figcaption", {}, el("b", {}, name), el("span", { class: "note" }, ` ${seeds(Math.min(...list), 1)} … ${seeds(Math.max(...list), 1)}`)),
    svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img", "aria-label": `House ${name}: ${list.map((v, n) => `${n}: ${seeds(v, 1)}`).join(", ")}` },
      svg("line", { class: "zero", x1: 0, x2: width, y1: y(0), y2: y(0) }), svg("polyline", { class: "curve", points: list.map((v, n) => `${x(n).toFixed(1)},${y(v).toFixed(1)}`).join(" ") }),
      svg("circle", { class: "now", cx: x(now), cy: y(list[now]), r: 4 })));
}

function heat(slice, buckets, at) {
  if (!slice) return el("p", { class: "note" }, "These weights have no patterns.");
  const most = Math.max(1e-9, ...slice.flat().map(Math.abs));
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Heat map" }, el("table", { class: "heat" },
    el("thead", {}, el("tr", {}, el("td", {}), buckets.map((b) => el("th", { scope: "col" }, b)))),
    el("tbody", {}, slice.map((row, i) => el("tr", {}, el("th", { scope: "row" }, buckets[i]), row.map((v, j) => {
      const cell = el("td", { class: (v < 0 ? "cold" : "warm") + (at[0] === i && at[1] === j ? " here" : "") }, seeds(v, 1));
      cell.style.setProperty("--share", `${Math.round((45 * Math.abs(v)) / most)}%`);
      return cell;
    }))))));
}

// bucketOf finds the bucket of so many seeds: its name begins with the fewest of it.
const bucketOf = (n, buckets) => buckets.findLastIndex((name) => n >= parseInt(name, 10));

async function show() {
  const name = $("name").value, other = $("other").value, board = $("at").value.trim();
  const q = new URLSearchParams({ name, board, g: $("g").value, h: $("h").value });
  if (other) q.set("other", other);
  history.replaceState(null, "", "?" + q);
  try {
    const x = await get("/api/weights/explain", { name, board, g: $("g").value, h: $("h").value });
    fault(null);
    $("status").textContent = `${signed(x.centi_seeds / 100, 2)} seeds for ${sides[x.turn]} to move.`;
    $("position").replaceChildren(contributions(x));
    $("families").replaceChildren(values("Families", x.families));
    $("columns").replaceChildren(el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of contributions" }, values("Contributions", x.columns ?? [])), el("p", { class: "note" }, "A B C are the side to move's houses in these names, a b c the other side's."));
    const all = (x.curves ?? []).flat(), names = x.houses.map((h) => h.house);
    $("curves").replaceChildren(...(x.curves ?? []).map((c, h) => curve(c, names[h], x.houses[h].seeds, Math.min(0, ...all), Math.max(0, ...all))));
    $("heat").replaceChildren(heat(x.slice, x.buckets, [$("g").value, $("h").value].map((h) => bucketOf(x.houses[h].seeds, x.buckets))));
    const info = await get("/api/weights/info", { name });
    $("about").replaceChildren(pairs([["kind", info.kind], ["set", info.set], ["rules", info.rules], ["columns", count(info.columns)], ["hash", info.hash], ["hash of the tables", info.play], ...Object.entries(info.provenance ?? {}).map(([k, v]) => [k, inWords(v)])]));
    await listTables(name);
    $("difference-card").hidden = !other;
    if (other) await compare(name, other);
  } catch (e) {
    fault(e.message);
  }
  document.documentElement.dataset.ready = "true";
}

let tables = [], tablesOf = null;

// listTables finds out which tables the weights have.
async function listTables(name) {
  if (tablesOf === name) return;
  tables = (await get("/api/weights/tables", { name })).map((t, i) => ({ ...t, i }));
  tablesOf = name;
  $("tables-card").hidden = tables.length === 0;
  const stages = [...new Set(tables.map((t) => `${t.from} to ${t.to}`))];
  $("stage").replaceChildren(...stages.map((s) => el("option", {}, s)));
  drawTables();
}

// drawTables shows the tables of a stage of the game.
function drawTables() {
  const spaced = (houses) => [...houses].join(" ");
  const here = tables.filter((t) => `${t.from} to ${t.to}` === $("stage").value);
  $("tables").replaceChildren(...here.map((t) => {
    const across = spaced(t.houses.slice(0, 3)), down = spaced(t.houses.slice(3));
    const address = "/api/weights/table?" + new URLSearchParams({ name: tablesOf, table: t.i });
    return el("figure", { class: "column-card" },
      el("figcaption", {}, el("b", {}, across), el("span", { class: "note" }, " across, "), el("b", {}, down), el("span", { class: "note" }, " down")),
      el("a", { href: address }, el("img", { src: address, loading: "lazy", width: 512, height: 512, alt: `Heat map of the table ${across} by ${down}: from ${seeds(t.low.points)} seeds at ${t.low.name} to ${seeds(t.high.points)} at ${t.high.name}` })),
      el("p", { class: "note" }, `Best ${seeds(t.high.points)}: ${t.high.name}. Worst ${seeds(t.low.points)}: ${t.low.name}.`));
  }));
}

async function compare(name, other) {
  const c = await get("/api/weights/compare", { name, other });
  $("difference").replaceChildren(
    c.boards ? el("p", {}, `On ${count(c.boards.boards)} random boards: R ${c.boards.r.toFixed(4)}, mean difference ${fixed(c.boards.mae * perPoint, 2)} seeds. Most on `, el("a", { href: "?" + new URLSearchParams({ name, other, board: c.boards.most }) }, c.boards.most), `: ${seeds(c.boards.a)} and ${seeds(c.boards.b)}.`) : "",
    c.weights ? el("table", {}, el("thead", {}, el("tr", {}, ["Column", "here", "there"].map((t) => el("th", { scope: "col" }, t)))), el("tbody", {}, c.weights.slice(0, 15).map((w) => el("tr", {}, el("th", { scope: "row" }, w.column), el("td", { class: "number" }, seeds(w.a, 3)), el("td", { class: "number" }, seeds(w.b, 3)))))) : "");
}

async function begin() {
  $("g").append(...letters.map((l, h) => el("option", { value: h }, h < 6 ? `${l}, own` : `${l}, other side's`)));
  $("h").append(...letters.map((l, h) => el("option", { value: h }, h < 6 ? `${l}, own` : `${l}, other side's`)));
  $("g").value = address.get("g") ?? "0";
  $("h").value = address.get("h") ?? "6";
  try {
    const names = await get("/api/weights");
    $("name").append(...names.map((n) => el("option", {}, n)));
    $("other").append(...names.map((n) => el("option", {}, n)));
    if (address.get("name")) $("name").value = address.get("name");
    if (address.get("other")) $("other").value = address.get("other");
    if (address.get("board")) $("at").value = address.get("board");
  } catch (e) {
    fault(e.message);
  }
  await show();
}

$("stage").addEventListener("change", drawTables);
$("choice").addEventListener("submit", (e) => { e.preventDefault(); show(); });
for (const id of ["name", "other", "g", "h"]) $(id).addEventListener("change", show);
begin();
