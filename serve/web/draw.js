// Drawings of oware: houses with seeds, stores, and the animation of a move. Houses are
// numbered A…F a…f, from 0.

import { el, svg } from "./talk.js";

export const sides = ["South", "North"];

// letters are the names of the houses.
export const letters = [..."ABCDEFabcdef"];

// seedsIn draws n seeds in a circle of radius r, in a sunflower pattern.
function seedsIn(n, x, y, r, size) {
  const apart = Math.min(size * 1.32, (r - size) / Math.sqrt(Math.max(n, 1)));
  return Array.from({ length: n }, (_, i) => {
    const angle = i * 2.39996, far = n === 1 ? 0 : apart * Math.sqrt(i + 0.4);
    return svg("circle", { class: "seed", cx: (x + far * Math.cos(angle)).toFixed(1), cy: (y + far * Math.sin(angle)).toFixed(1), r: size });
  });
}

// house draws a house with its seeds.
export function house(n) {
  return svg("svg", { viewBox: "0 0 80 80", "aria-hidden": "true" },
    svg("circle", { class: "hole", cx: 40, cy: 40, r: 38 }), ...seedsIn(n, 40, 40, 35, 5.5));
}

// boardIn draws boards on every page: in a table of houses, with the stores above and below it. make(h)
// makes the element of a house.
export function boardIn(table, top, bottom, make) {
  let houses = [], places = [];

  // layOut arranges the houses; turned has North at the bottom.
  function layOut(turned = false) {
    const rows = turned ? [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11]] : [[11, 10, 9, 8, 7, 6], [0, 1, 2, 3, 4, 5]];
    houses = letters.map((_, h) => make(h));
    places = turned ? [top, bottom] : [bottom, top];
    table.tBodies[0].replaceChildren(...rows.map((row) => el("tr", {}, row.map((h) => el("td", {}, houses[h])))));
  }

  // draw shows seeds. of(h) returns what else is shown of a house: kinds (classes), whether it is playable, a
  // value below the seeds (null keeps its room), and words for screen readers. at(side) returns what else
  // is shown of a store: mover, who (a name), and more elements.
  function draw(seeds, stores, of = () => ({}), at = () => ({})) {
    houses.forEach((e, h) => drawHouse(e, h, seeds[h], of(h)));
    places.forEach((e, side) => drawStore(e, side, stores[side], at(side)));
  }

  layOut();
  return { layOut, draw, house: (h) => houses[h] };
}

function drawHouse(e, h, seeds, { kinds = [], playable, value, title, words = [] }) {
  e.className = ["house", playable && "playable", ...kinds].filter(Boolean).join(" ");
  if (playable !== undefined) e.setAttribute("aria-disabled", String(!playable));
  if (e.matches("button")) {
    const spoken = [`${letters[h]} ${seeds}${value ? " " + value : ""}`, `${sides[h > 5 ? 1 : 0]}'s house`, playable && "playable", ...words];
    e.setAttribute("aria-label", spoken.filter(Boolean).join(", "));
  }
  const drawn = e.dataset.seeds === String(seeds) ? e.querySelector("svg") : null;
  e.dataset.seeds = seeds;
  e.replaceChildren(drawn ?? house(seeds), el("span", { class: "name" }, letters[h] + " ", el("b", {}, String(seeds))), " ");
  if (value !== undefined) e.append(el("span", { class: value ? "value" : "value empty", title }, value ?? ""));
}

function drawStore(e, side, seeds, { mover, who, more = [] }) {
  e.className = "store" + (mover ? " mover" : "");
  e.replaceChildren(
    el("span", { class: "who" }, sides[side], who ? el("small", {}, " " + who) : null),
    strip(seeds), ...more,
    el("span", { class: "kept" }, el("span", { class: "hidden" }, `${sides[side]}'s store: `), String(seeds)));
}

// outlines are the shapes of grades, each in a square of 12. Shape and lightness distinguish them
// without colour vision.
const outlines = { inaccuracy: "M6 1a5 5 0 1 0 .01 0Z", mistake: "M6 .5 11.8 11H.2Z", blunder: "M6-.6 12.6 6 6 12.6-.6 6Z", book: "M2 2h8v8H2Z", checking: "M6 3a3 3 0 1 0 .01 0Z" };

// mark is the shape of a grade, in a drawing.
export const mark = (kind, attributes = {}, ...children) => svg("path", { class: `mark ${kind}`, d: outlines[kind], ...attributes }, ...children);

// sign is the shape of a grade, in text.
export const sign = (kind) => svg("svg", { viewBox: "-1 -1 14 14", class: "sign", "aria-hidden": "true" }, mark(kind));

// strip draws the seeds of a store in a row.
export function strip(n) {
  return svg("svg", { viewBox: "0 0 300 26", class: "strip", preserveAspectRatio: "xMinYMid meet", "aria-hidden": "true" },
    ...Array.from({ length: n }, (_, i) => svg("circle", { class: "seed", cx: 7 + (i >> 1) * 12, cy: 7 + (i & 1) * 12, r: 5 })));
}

// parse reads the text of a board.
export function parse(board) {
  const parts = board.split("-");
  return { houses: parts.slice(0, 12).map(Number), stores: parts.slice(12, 14).map(Number), turn: parts[14] === "N" ? 1 : 0 };
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// sow animates a move. It calls hold(houses, stores) after every step; at(house) returns the element of
// a house; layer covers the board. It stops when signal is aborted. slowest is the longest flight of a
// seed in milliseconds.
export async function sow(move, side, from, hold, at, layer, signal, slowest = 150) {
  const houses = [...from.houses], stores = [...from.stores];
  const seeds = move.path.length, step = Math.max(45, Math.min(slowest, 10 * slowest / Math.max(seeds, 1)));
  houses[move.house] = 0;
  hold(houses, stores);
  let place = at(move.house);
  for (const h of move.path) {
    await fly(layer, place, at(h), step);
    if (signal.aborted) return;
    place = at(h);
    houses[h]++;
    hold(houses, stores, h);
  }
  for (const h of move.takes ?? []) {
    await wait(260);
    if (signal.aborted) return;
    stores[side] += houses[h];
    houses[h] = 0;
    hold(houses, stores, h);
  }
  await wait(120);
}

// fly moves a seed from one place to another.
async function fly(layer, from, to, ms) {
  const over = layer.getBoundingClientRect();
  const centre = (e) => {
    const b = e.getBoundingClientRect();
    return [b.x + b.width / 2 - over.x, b.y + b.width / 2 - over.y];
  };
  const [x0, y0] = centre(from), [x1, y1] = centre(to);
  const seed = document.createElement("span");
  seed.className = "flying";
  layer.append(seed);
  await seed.animate([
    { transform: `translate(${x0}px,${y0}px)` },
    { transform: `translate(${(x0 + x1) / 2}px,${(y0 + y1) / 2 - 14}px) scale(1.25)` },
    { transform: `translate(${x1}px,${y1}px)` },
  ], { duration: ms, easing: "ease-in-out" }).finished.catch(() => {});
  seed.remove();
}
