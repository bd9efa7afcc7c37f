// The page of opening books: the tree move by move, what a book covers, and how two
// books differ. The address holds the book and the line.

import { $, count, el, fault, get, pairs, seeds, signed, typing } from "./talk.js";
import { sides, small } from "./draw.js";

const address = new URLSearchParams(location.search);
const at = { name: address.get("name") ?? "default", other: address.get("other") ?? "", from: address.get("from") ?? "", moves: address.get("moves") ?? "" };
let asked = new AbortController();

// link is the address of a place in the book.
function link(change) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries({ ...at, ...change })) if (v && !(k === "name" && v === "default")) q.set(k, v);
  return "/book" + (q.size ? "?" + q : "");
}

// go shows another place without leaving the page.
function go(change) {
  Object.assign(at, change);
  history.pushState(null, "", link({}));
  showNode();
}

// way is a link that a click follows here.
function way(change, attributes, ...children) {
  return el("a", {
    href: link(change), ...attributes,
    click: (e) => { if (!e.ctrlKey && !e.metaKey && !e.shiftKey) { e.preventDefault(); go(change); } },
  }, ...children);
}

async function showNode() {
  asked.abort();
  asked = new AbortController();
  try {
    const { name, other, from, moves } = at;
    drawNode(await get("/api/book/node", { name, other, from, moves }, asked.signal));
    fault(null);
    drawNext(await get("/api/book/next", { name, from, moves }, asked.signal));
  } catch (e) {
    if (e.name !== "AbortError") fault(e);
  }
  document.documentElement.dataset.ready = "true";
}

function drawNode(n) {
  const steps = n.line.map((m) => m.move);
  $("crumbs").replaceChildren(
    way({ moves: "" }, {}, at.from ? "the board" : "start"),
    ...steps.map((m, i) => way({ moves: steps.slice(0, i + 1).join("") }, { "aria-current": i === steps.length - 1 ? "step" : null }, m)));
  const shot = n.line.length ? n.line.at(-1).to : n.from;
  const values = [];
  for (const m of n.list) if (m.score != null) values[m.house] = worth(m.score, m.chance);
  $("position").replaceChildren(small(shot.board, { values, marked: n.list.find((m) => m.best)?.house }));
  $("status").textContent = n.over ? "The game is over here." : n.in ? `${sides[n.turn]} to move: ${count(n.below)} ${n.below === 1 ? "entry" : "entries"} from here on.` : "The book does not have this position.";
  for (const e of document.querySelectorAll(".other")) e.hidden = !at.other;
  const most = Math.max(1, ...n.list.map((m) => m.below));
  $("branches").replaceChildren(...n.list.map((m) => branch(n, m, most)));
  $("next").replaceChildren(el("p", {}, el("a", { href: "/?" + new URLSearchParams({ ...(at.from && { from: at.from }), moves: n.moves }) }, "Open on the board")));
}

// drawNext shows where the book is expanded next, which a large book takes seconds to tell.
function drawNext(next) {
  $("next").prepend(...next.map((line, side) => (line ? el("p", {}, `${sides[side]}'s book is expanded next at `, way({ moves: at.moves + line }, { class: "line" }, line)) : null)).filter(Boolean));
}

// worth is what a value promises the side to move: its chance, or the score where none is known.
const worth = (score, chance) => (chance == null ? seeds(score) : `${Math.round(chance)} %`);

// branch is the row of a move.
function branch(n, m, most) {
  const differs = at.other && (m.other ?? null) !== (m.score ?? null);
  const bar = el("span", { class: "bar" });
  bar.style.width = `${Math.round((100 * m.below) / most)}%`;
  const name = m.move + (m.takes?.length ? " ×" : "");
  return el("tr", { class: [m.best && "best", differs && "differs"].filter(Boolean).join(" ") },
    el("th", { scope: "row" }, m.entry ? way({ moves: n.moves + m.move }, { class: "button" }, name) : el("span", { class: "outside" }, name)),
    el("td", { class: "number", title: m.score == null ? null : `score ${seeds(m.score)} seeds` }, m.score == null ? "–" : worth(m.score, m.chance) + (m.best ? " ★" : "")),
    el("td", { class: "number" }, m.margin == null ? "–" : signed(m.margin, 1)),
    at.other ? el("td", { class: "number other", title: m.other == null ? null : `score ${seeds(m.other)} seeds` }, m.other == null ? "–" : worth(m.other, m.other_chance) + (m.first ? " ★" : "") + (m.other > m.score ? " ▲" : m.other < m.score ? " ▼" : "")) : null,
    el("td", { class: "source" }, m.source ?? ""),
    el("td", { class: "number" }, m.entry ? count(m.below) : m.ends ? "game over" : "outside"),
    el("td", { class: "bars" }, bar));
}

async function showBook() {
  try {
    const b = await get("/api/book", { name: at.name });
    $("about").replaceChildren(el("p", {}, `${count(b.entries)} entries, rules ${b.rules}. A game leaves South's book at ${count(b.leaves[0])} places, North's at ${count(b.leaves[1])}.`),
      el("p", {}, "Main line: ", way({ from: "", moves: b.root_line }, { class: "line" }, b.root_line)),
      el("details", {}, el("summary", {}, "What made it"), el("p", { class: "note" }, b.made), pairs(b.fields)));
    $("coverage").replaceChildren(coverage(b.plies));
    $("difference-card").hidden = !at.other;
    if (at.other) drawDifference(await get("/api/book/diff", { name: at.name, other: at.other }));
  } catch (e) {
    fault(e);
  }
}

// coverage is a table with a bar for the share of moves that stay in the book.
function coverage(plies) {
  return el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Ply"), el("th", { scope: "col", class: "number" }, "Entries"), el("th", { scope: "col" }, "Moves that stay in the book"))),
    el("tbody", {}, plies.map((p) => {
      const open = p.moves - p.ended, share = open ? p.inside / open : 0, bar = el("span", { class: "bar" });
      bar.style.width = `${(60 * share).toFixed(1)}%`;
      return el("tr", {}, el("th", { scope: "row" }, String(p.ply)), el("td", { class: "number" }, count(p.entries)), el("td", { class: "bars" }, bar, ` ${(100 * share).toFixed(0)} %`));
    })));
}

function drawDifference(d) {
  $("difference").replaceChildren(
    el("p", {}, `${count(d.same)} entries are the same. ${count(d.other_values)} have other values, ${count(d.other_best_move)} of them another best move. ${count(d.only_a)} are in this book only, ${count(d.only_b)} in the other only.`),
    d.largest.length ? el("h3", {}, "Largest differences of the best value") : null,
    el("ul", { class: "boards" }, d.largest.map((c) => el("li", {}, way({ from: c.a.board, moves: "" }, {}, small(c.a.board)), el("p", { class: "note" }, `${seeds(c.a.scores[c.a.best[0]])} here, ${seeds(c.b.scores[c.b.best[0]])} there`)))));
}

async function begin() {
  try {
    const names = await get("/api/books");
    $("name").replaceChildren(...names.map((n) => el("option", {}, n)));
    $("other").append(...names.map((n) => el("option", {}, n)));
    $("name").value = at.name;
    $("other").value = at.other;
  } catch (e) {
    fault(e);
  }
  await Promise.all([showBook(), showNode()]);
}

for (const id of ["name", "other"]) {
  $(id).addEventListener("change", () => {
    if (id === "name") Object.assign(at, { from: "", moves: "" });
    go({ [id]: $(id).value });
    showBook();
  });
}
addEventListener("popstate", () => location.reload());
document.addEventListener("keydown", (e) => {
  if (e.key === "ArrowLeft" && !typing(e) && !e.altKey) $("crumbs").querySelector("a:nth-last-child(2)")?.click();
});
begin();
