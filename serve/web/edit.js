// The editor of positions: seeds in houses and stores, changed by clicks or typed, and the side to
// move.

import { $, el } from "./talk.js";
import { house, letters, sides, strip } from "./draw.js";

const all = 48;
const fields = [];

// field makes a house or a store: a picture, in which a click adds or removes a seed, and a number.
// draw(n) draws n seeds.
function field(name, spoken, draw) {
  const input = el("input", { type: "number", min: 0, max: all, inputmode: "numeric", "aria-label": spoken, input: update });
  const add = (n) => { input.value = Math.max(0, Math.min(all, (Number(input.value) || 0) + n)); update(); };
  const picture = el("button", { type: "button", class: "house", click: () => add($("edit-take").checked ? -1 : 1), contextmenu: (e) => { e.preventDefault(); add(-1); } });
  input.draw = () => {
    picture.replaceChildren(draw(Number(input.value) || 0));
    picture.setAttribute("aria-label", `${$("edit-take").checked ? "Take a seed out of" : "Put a seed into"} ${spoken}`);
  };
  fields.push(input);
  return el("div", { class: "pit" }, picture, el("label", {}, name, input));
}

const seeds = () => fields.map((f) => (/^\d+$/.test(f.value) ? Number(f.value) : NaN));

// text returns the board of the fields; "" if they are not a board.
function text() {
  const n = seeds();
  return n.some(Number.isNaN) || n.reduce((a, b) => a + b, 0) !== all ? "" : [...n, $("edit-turn").value].join("-");
}

// update draws the seeds and shows their sum.
function update() {
  for (const f of fields) f.draw();
  const n = seeds(), sum = n.reduce((a, b) => a + b, 0), bad = fields.findIndex((_, i) => Number.isNaN(n[i]));
  $("edit-said").textContent = bad >= 0 ? `${fields[bad].ariaLabel}: expected a number of seeds.` : sum === all ? "48 seeds, as required." : `${sum} of 48 seeds: ${sum < all ? `${all - sum} missing` : `${sum - all} too many`}.`;
  $("edit-use").disabled = $("edit-link").disabled = !text();
}

function fill(houses, stores, turn) {
  [...houses, ...stores].forEach((n, i) => { fields[i].value = n; });
  $("edit-turn").value = "SN"[turn];
  update();
}

// editor makes the form. now() returns the position on the board, use(board) puts one on it, and
// share(board) copies its link.
export function editor(now, use, share) {
  const houses = letters.map((l, h) => field(l, `${l}, ${sides[h > 5 ? 1 : 0]}'s house`, house));
  const stores = sides.map((s) => field(s, `${s}'s store`, strip));
  $("edit-houses").replaceChildren(stores[1], ...houses.slice(6).reverse(), ...houses.slice(0, 6), stores[0]);
  for (const s of stores) s.classList.add("whole", "kept-pit");
  $("edit-take").addEventListener("change", update);
  const fromBoard = () => { const n = now(); fill(n.houses, n.stores, n.turn); };
  $("edit").addEventListener("toggle", () => { if ($("edit").open) fromBoard(); });
  $("edit-now").addEventListener("click", fromBoard);
  $("edit-start").addEventListener("click", () => fill(Array(12).fill(4), [0, 0], 0));
  $("edit-empty").addEventListener("click", () => fill(Array(12).fill(0), [0, 0], 0));
  $("edit-link").addEventListener("click", () => share(text()));
  $("edit-form").addEventListener("submit", (e) => { e.preventDefault(); if (text()) use(text()); });
}
