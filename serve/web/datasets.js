// The page of datasets: what columns hold, how predictions agree with labels, rows as
// boards, one file beside another. The server counts; the page draws what it is told.

import { $, count, el, fault, fixed, get, listen, pairs, perPoint, scoreText, seeds, svg } from "./talk.js";
import { small } from "./draw.js";

const address = new URLSearchParams(location.search);
const fields = ["name", "other", "weights", "where"];
let ends = []; // of the streams of the panels

// inSeeds write the values of positions, from the columns that hold them.
const inSeeds = { label: (v) => seeds(v), score: scoreText };

const short = (v) => (Number.isInteger(v) ? count(v) : Math.abs(v) >= 100 ? count(v) : fixed(v.toPrecision(3)));

// addFilter adds a comparison to the filter and shows the result.
function addFilter(text) {
  const old = $("where").value.trim();
  $("where").value = old ? `${old}, ${text}` : text;
  showAll();
}

// named lists the first bars of a column of texts or truth values.
const named = (c, most) => c.bars.slice(0, most).map((b) => `${b.name} ${count(b.rows)}`).join(", ");

// histogram draws the bars of a column.
function histogram(c) {
  const width = 240, height = 64, most = Math.max(1, ...c.bars.map((b) => b.rows)), each = width / Math.max(c.bars.length, 1);
  const told = inSeeds[c.name] ?? short;
  const label = `${c.name}: ${!c.rows ? "no values" : c.type === "number" ? `from ${told(c.min)} to ${told(c.max)}, median ${told(c.median)}` : named(c, 5)}`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "histogram", role: "img", "aria-label": label },
    svg("line", { class: "zero", x1: 0, x2: width, y1: height - 0.5, y2: height - 0.5 }),
    ...c.bars.map((b, i) => {
      const h = b.rows ? Math.max(1.5, (b.rows / most) * (height - 4)) : 0, one = b.name || (b.from === b.to ? told(b.from) : `${told(b.from)} to ${told(b.to)}`);
      const filter = b.name ? `${c.name}=${b.name}` : b.from === b.to ? `${c.name}=${b.from}` : `${c.name}>=${b.from}, ${c.name}${i === c.bars.length - 1 ? "<=" : "<"}${b.to}`;
      return svg("g", { class: "column", click: () => addFilter(filter) }, svg("title", {}, `${one}: ${count(b.rows)} rows`),
        svg("rect", { class: "back", x: i * each, y: 0, width: each, height }), svg("rect", { class: "count", x: i * each + 0.5, y: height - h, width: Math.max(0.5, each - 1), height: h }));
    }));
}

function column(c) {
  const facts = !c.rows ? "no values" : c.type === "number" ? [c.min, c.median, c.max].map((v) => (inSeeds[c.name] ?? short)(v)).join(" … ") : named(c, 6);
  return el("figure", { class: "column-card" }, el("figcaption", {}, el("b", {}, c.name), el("span", { class: "note" }, inSeeds[c.name] ? " in seeds" : "", c.missing ? ` ${count(c.missing)} missing` : "")), histogram(c), el("p", { class: "note" }, facts));
}

// density draws how often a prediction goes with a label.
function density(cells) {
  const n = cells.length, size = 300, each = size / n, left = 42, most = Math.log1p(Math.max(1, ...cells.flat()));
  const parts = [svg("rect", { class: "frame", x: left, y: 0, width: size, height: size }), svg("line", { class: "diagonal", x1: left, y1: size, x2: left + size, y2: 0 })];
  cells.forEach((row, i) => row.forEach((rows, j) => {
    if (rows) parts.push(svg("rect", { class: "cell", x: left + i * each, y: size - (j + 1) * each, width: each + 0.2, height: each + 0.2, opacity: (0.15 + (0.85 * Math.log1p(rows)) / most).toFixed(2) }, svg("title", {}, `${rows} rows`)));
  }));
  for (const v of [-24, -12, 0, 12, 24]) {
    const at = ((v + 24) / 48) * size;
    parts.push(svg("text", { class: "tick", x: left + at, y: size + 14, "text-anchor": v === 24 ? "end" : v === -24 ? "start" : "middle" }, fixed(v)));
    parts.push(svg("text", { class: "tick", x: left - 5, y: Math.max(10, size - at + 4), "text-anchor": "end" }, fixed(v)));
  }
  parts.push(svg("text", { class: "tick", x: left + size / 2, y: size + 30, "text-anchor": "middle" }, "prediction, seeds (up: label)"));
  return svg("svg", { viewBox: `0 0 ${left + size + 4} ${size + 36}`, class: "density", role: "img", "aria-label": "How often a prediction goes with a label; on the diagonal both are equal" }, ...parts);
}

function agreement(a) {
  return el("section", { class: "card", "aria-label": "Predictions" }, el("h3", {}, "Predictions of ", a.weights),
    el("dl", { class: "figures" }, [["R", fixed(a.r, 4)], ["Mean error", fixed(a.mae * perPoint, 2)], ["RMSE", fixed(a.rmse * perPoint, 2)], ["Rows", count(a.n)]].map(([k, v]) => el("div", {}, el("dt", {}, k), el("dd", {}, v)))),
    density(a.cells),
    el("details", {}, el("summary", {}, "Errors by phase, in seeds"), el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Errors by phase" }, el("table", {},
      el("thead", {}, el("tr", {}, ["Seeds in play", "Rows", "Mean residual", "Mean error", "RMSE"].map((h) => el("th", { scope: "col", class: "number" }, h)))),
      el("tbody", {}, a.phases.map((p) => el("tr", {}, el("th", { scope: "row", class: "number" }, String(p.value)), [count(p.rows), seeds(p.mean), fixed(p.mae * perPoint, 2), fixed(p.rmse * perPoint, 2)].map((v) => el("td", { class: "number" }, v)))))))));
}

// rowsOf lists rows as boards, a page at a time.
function rowsOf(query, rules) {
  const list = el("ul", { class: "boards" }), note = el("span", { class: "note" });
  const order = el("select", { "aria-label": "Order of the rows" }, query.weights ? el("option", { value: "residual" }, "worst predicted first") : null, el("option", { value: "" }, "as in the file"));
  let offset = 0;
  const size = 12, back = el("button", { type: "button", click: () => turn(-size) }, "Earlier"), on = el("button", { type: "button", click: () => turn(size) }, "More");
  async function turn(by) {
    offset = Math.max(0, offset + by);
    try {
      const page = await get("/api/dataset/rows", { ...query, sort: order.value, offset, n: size });
      note.textContent = page.rows ? `${count(offset + 1)}–${count(offset + page.list.length)} of ${count(page.rows)}` : "no rows";
      back.disabled = offset === 0;
      on.disabled = offset + size >= page.rows;
      list.replaceChildren(...page.list.map((r) => el("li", {}, small(r.board),
        el("p", { class: "note" }, `row ${count(r.row)}`, r.label == null ? "" : `: label ${seeds(r.label)}`, r.prediction == null ? "" : `, predicted ${seeds(r.prediction)}, off by ${seeds(r.label - r.prediction)}`, " ",
          el("a", { href: "/?" + new URLSearchParams({ rules, from: r.board, analyse: "1" }), "aria-label": `Analyse row ${r.row}` }, "Analyse")))));
    } catch (e) {
      fault(e.message);
    }
  }
  order.addEventListener("change", () => { offset = 0; turn(0); });
  turn(0);
  return el("section", { class: "card", "aria-label": "Rows" }, el("div", { class: "row between" }, el("h3", {}, "Rows"), order), list, el("div", { class: "row" }, back, on, note));
}

// panel shows a dataset; other is the one that its description compares it with.
function panel(query, other) {
  const bar = el("progress", { "aria-label": "Reading" }), columns = el("div", { class: "columns" }), head = el("p", {}), about = el("div", {}), below = el("div", { class: "game" });
  const place = el("section", { class: "panel", "aria-label": query.name }, el("h2", {}, query.name), bar, head, about, columns, below);
  let drawn = 0;
  const sheet = (s) => {
    if (s.total === undefined || s.done !== undefined) {
      bar.max = s.total || 1;
      bar.value = s.done;
      return;
    }
    if (!drawn) {
      head.replaceChildren(`${count(s.rows)} of ${count(s.total)} rows, ${s.schema} columns. `,
        el("a", { href: "/datasets/description?" + new URLSearchParams({ ...query, other }) }, other ? `Full description, compared with ${other}` : "Full description"));
      about.replaceChildren(el("details", {}, el("summary", {}, "What made it"), pairs(s.about)));
    }
    for (; drawn < s.columns.length; drawn++) columns.append(column(s.columns[drawn]));
    bar.max = s.schema;
    bar.value = drawn;
  };
  const end = listen("/api/dataset", query, {
    sheet,
    done: (s) => {
      sheet(s);
      bar.remove();
      if (s.against) below.append(agreement(s.against));
      below.append(rowsOf(query, s.about.find(([k]) => k === "rules")?.[1] ?? "abapa"));
      place.dataset.done = "true";
      $("status").className = "hidden"; // it is read out: the panel shows the same
      $("status").textContent = `${query.name}: ${count(s.rows)} of ${count(s.total)} rows.`;
      document.documentElement.dataset.ready = "true";
    },
    failed: (f) => { bar.remove(); fault(f.error); document.documentElement.dataset.ready = "true"; },
  });
  ends.push(end);
  return place;
}

function showAll() {
  for (const end of ends) end();
  ends = [];
  fault(null);
  const q = new URLSearchParams();
  for (const f of fields) if ($(f).value) q.set(f, $(f).value);
  history.replaceState(null, "", "?" + q);
  const names = [$("name").value, $("other").value].filter(Boolean);
  const rest = { where: $("where").value, weights: $("weights").value };
  $("panels").classList.toggle("two", names.length > 1);
  $("panels").replaceChildren(...names.map((name) => panel({ name, ...rest }, names.find((n) => n !== name) ?? "")));
}

async function begin() {
  try {
    const { datasets, weights } = await get("/api/datasets");
    $("name").replaceChildren(...datasets.map((n) => el("option", {}, n)));
    $("other").append(...datasets.map((n) => el("option", {}, n)));
    $("weights").append(...weights.map((n) => el("option", {}, n)));
    for (const f of fields) if (address.get(f)) $(f).value = address.get(f);
    if ($("name").selectedIndex < 0) $("name").selectedIndex = 0;
    if (datasets.length) return showAll();
    $("status").textContent = "There are no datasets in the folder that is served. `train run` makes some.";
  } catch (e) {
    fault(e.message);
  }
  document.documentElement.dataset.ready = "true";
}

$("choice").addEventListener("submit", (e) => { e.preventDefault(); showAll(); });
for (const f of ["name", "other", "weights"]) $(f).addEventListener("change", showAll);
begin();
