// The page of the rules: each is shown by a move that is sown on the board.

import { $, el, fault, get } from "./talk.js";
import { house, letters, sides, sow, strip } from "./draw.js";

const examples = [
  { name: "Sow", from: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", moves: "C", says: "South sows C: a seed each to D, E, F, and one over to North's a." },
  { name: "Capture", from: "1-1-1-1-1-3-1-2-1-4-4-4-12-12-S", moves: "F", says: "The last seed makes two in c, and b and a before it have three and two: South takes all seven." },
  { name: "A whole lap", from: "0-0-13-1-1-1-2-2-0-1-2-1-12-12-S", moves: "C", says: "Thirteen seeds go round the board. C, where they came from, is left out." },
  { name: "Feed", from: "1-0-2-0-1-1-0-0-0-0-0-0-22-21-S", moves: "F", says: "North has no seeds. Of South's moves only F gives some, so South must play it." },
];

let stop = new AbortController();
const cells = new Map();

function hold(houses, stores, lately = -1) {
  for (let h = 0; h < 12; h++) {
    const cell = cells.get(h);
    cell.className = h === lately ? "house lately" : "house";
    cell.replaceChildren(house(houses[h]), el("span", { class: "name" }, letters[h] + " ", el("b", {}, String(houses[h]))));
  }
  for (const [side, id] of [[0, "store-bottom"], [1, "store-top"]]) $(id).replaceChildren(el("span", { class: "who" }, sides[side]), strip(stores[side]), el("span", { class: "kept" }, String(stores[side])));
}

// play sows an example. The board stays as the move leaves it.
async function play(example, moving) {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  $("over-board").replaceChildren();
  try {
    const game = await get("/api/game", { from: example.from, moves: example.moves }, signal);
    hold(game.from.houses, game.from.stores);
    $("status").textContent = example.says;
    const [move] = game.line;
    if (moving) {
      await new Promise((done) => setTimeout(done, 700));
      if (!signal.aborted) await sow(move, move.side, game.from, hold, (h) => cells.get(h), $("over-board"), signal, 450);
    }
    if (!signal.aborted) hold(move.to.houses, move.to.stores);
  } catch (e) {
    if (!signal.aborted) fault(e);
  }
}

$("board").tBodies[0].replaceChildren(...[[11, 10, 9, 8, 7, 6], [0, 1, 2, 3, 4, 5]].map((row) => el("tr", {}, row.map((h) => {
  const cell = el("div", { class: "house" });
  cells.set(h, cell);
  return el("td", {}, cell);
}))));
$("examples").replaceChildren(...examples.map((e) => el("button", { type: "button", click: () => play(e, true) }, e.name)));
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
const first = await get("/api/game", { from: examples[0].from }).catch((e) => { fault(e); });
if (first) hold(first.from.houses, first.from.stores);
document.documentElement.dataset.ready = "true";
play(examples[0], !still);
