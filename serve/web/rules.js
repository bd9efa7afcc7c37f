// The lesson: the rules of oware in five positions to play. The server sends them with the right moves,
// and executes moves by the rules.

import { $, el, fault, get, redraw } from "./talk.js";
import { house, letters, parse, sides, sow, strip } from "./draw.js";

const lesson = JSON.parse($("data").textContent);
const solved = new Set();
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const houses = new Map();
let at = 0, stop = new AbortController();

function hold(seeds, stores, lately = -1) {
  for (const [h, button] of houses) {
    button.classList.toggle("lately", h === lately);
    button.replaceChildren(house(seeds[h]), el("span", { class: "name" }, letters[h] + " ", el("b", {}, String(seeds[h]))));
    button.setAttribute("aria-label", `${letters[h]} ${seeds[h]}`);
  }
  for (const [side, id] of [[0, "store-bottom"], [1, "store-top"]]) $(id).replaceChildren(el("span", { class: "who" }, sides[side]), strip(stores[side]), el("span", { class: "kept" }, String(stores[side])));
}

// playable marks the houses that can be chosen: South's with seeds.
function playable(now) {
  for (const [h, button] of houses) {
    button.classList.toggle("playable", now?.houses[h] > 0 && h < 6);
    button.setAttribute("aria-disabled", String(!now || h > 5));
  }
}

// show starts a position.
function show(n) {
  stop.abort();
  stop = new AbortController();
  at = n;
  const e = lesson[at], now = parse(e.board);
  $("over-board").replaceChildren();
  hold(now.houses, now.stores);
  playable(now);
  $("step").textContent = `${at + 1} of ${lesson.length}: ${e.name}`;
  $("rule").textContent = e.rule;
  $("status").textContent = e.task;
  $("onward").hidden = true;
  steps();
}

function steps() {
  redraw($("examples"), ...lesson.map((e, n) => el("button", { type: "button", "aria-current": n === at ? "step" : null, click: () => show(n) }, solved.has(n) ? `${e.name} ✓` : e.name)));
}

// play sows a house. A wrong move is taken back.
async function play(h) {
  const e = lesson[at], now = parse(e.board);
  if ($("onward").hidden === false || !(now.houses[h] > 0) || h > 5) return;
  stop.abort();
  stop = new AbortController();
  const { signal } = stop, right = e.moves.includes(letters[h]);
  $("over-board").replaceChildren();
  hold(now.houses, now.stores);
  playable(null);
  try {
    const game = await get("/api/game", { from: e.board, moves: letters[h] }, signal).catch((err) => { if (right || signal.aborted) throw err; }); // a wrong move may be one that is not allowed
    const move = game?.line[0];
    if (move && !still) await sow(move, 0, now, hold, (k) => houses.get(k), $("over-board"), signal, 350);
    if (signal.aborted) return;
    if (move) hold(move.to.houses, move.to.stores);
    $("status").textContent = right ? e.right : e.wrong;
    if (right) {
      solved.add(at);
      steps();
      const last = at === lesson.length - 1;
      $("next").hidden = last;
      $("finish").hidden = !last;
      $("onward").hidden = false;
      (last ? $("finish") : $("next")).focus();
      return;
    }
    if (move) await new Promise((done) => setTimeout(done, 1200));
    if (signal.aborted) return;
    hold(now.houses, now.stores);
    playable(now);
  } catch (err) {
    if (!signal.aborted) fault(err);
  }
}

$("board").tBodies[0].replaceChildren(...[[11, 10, 9, 8, 7, 6], [0, 1, 2, 3, 4, 5]].map((row) => el("tr", {}, row.map((h) => {
  const button = el("button", { type: "button", class: "house", click: () => play(h) });
  houses.set(h, button);
  return el("td", {}, button);
}))));
$("next").addEventListener("click", () => { show(at + 1); houses.get(0).focus(); });
$("again").addEventListener("click", () => show(at));
document.addEventListener("keydown", (e) => {
  const h = "abcdef".indexOf(e.key);
  if (h >= 0 && !e.ctrlKey && !e.metaKey && !e.altKey) play(h);
});
show(0);
document.documentElement.dataset.ready = "true";
