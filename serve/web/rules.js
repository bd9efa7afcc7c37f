// The lesson: the rules of oware in five positions to play. The server sends them with the right moves,
// and executes moves by the rules.

import { $, el, fault, get, redraw } from "./talk.js";
import { boardIn, letters, parse, sow } from "./draw.js";

const lesson = JSON.parse($("data").textContent);
const solved = new Set();
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const wood = boardIn($("board"), $("store-top"), $("store-bottom"), (h) => el("button", { type: "button", click: () => play(h) }));
let at = 0, stop = new AbortController();

let choosing = null; // the position in which a house can be chosen: South's with seeds

function hold(seeds, stores, lately = -1) {
  wood.draw(seeds, stores, (h) => ({ playable: h < 6 && choosing?.houses[h] > 0, kinds: [h === lately && "lately"] }));
}

// show starts a position.
function show(n) {
  stop.abort();
  stop = new AbortController();
  at = n;
  const e = lesson[at], now = parse(e.board);
  $("over-board").replaceChildren();
  choosing = now;
  hold(now.houses, now.stores);
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
  choosing = null;
  hold(now.houses, now.stores);
  try {
    const game = await get("/api/game", { from: e.board, moves: letters[h] }, signal).catch((err) => { if (right || signal.aborted) throw err; }); // a wrong move may be one that is not allowed
    const move = game?.line[0];
    if (move && !still) await sow(move, 0, now, hold, wood.house, $("over-board"), signal, 350);
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
    choosing = now;
    hold(now.houses, now.stores);
  } catch (err) {
    if (!signal.aborted) fault(err);
  }
}

$("next").addEventListener("click", () => { show(at + 1); wood.house(0).focus(); });
$("again").addEventListener("click", () => show(at));
document.addEventListener("keydown", (e) => {
  const h = "abcdef".indexOf(e.key);
  if (h >= 0 && !e.ctrlKey && !e.metaKey && !e.altKey) play(h);
});
show(0);
document.documentElement.dataset.ready = "true";
