// The tree of an opening book, move by move. The address contains the book and the line.

import { $, count, el, fault, get, seeds, signed, typing } from "./talk.js";
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

// way is a link to another place of the tree; a click does not reload the page.
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

// drawNext shows where the book is expanded next, which takes seconds in a large book.
function drawNext(next) {
  $("next").prepend(...next.map((line, side) => (line ? el("p", {}, `${sides[side]}'s book is expanded next at `, way({ moves: at.moves + line }, { class: "line" }, line)) : null)).filter(Boolean));
}

// worth is the chance of the side to move, or the score without a calibration.
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

addEventListener("popstate", () => location.reload());
document.addEventListener("keydown", (e) => {
  if (e.key === "ArrowLeft" && !typing(e) && !e.altKey) $("crumbs").querySelector("a:nth-last-child(2)")?.click();
});
showNode();
