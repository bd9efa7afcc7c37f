// The editor of positions: seeds of houses and stores, the side to move.

import { $, el } from "./talk.js";
import { letters, sides } from "./draw.js";

const all = 48;
const fields = [];

// field makes the field of a house or a store.
function field(name, spoken) {
  const input = el("input", { type: "number", min: 0, max: all, inputmode: "numeric", "aria-label": spoken, input: tell });
  fields.push(input);
  return el("label", {}, name, input);
}

const seeds = () => fields.map((f) => (/^\d+$/.test(f.value) ? Number(f.value) : NaN));

// text is the board of the fields, "" where they are none.
function text() {
  const n = seeds();
  return n.some(Number.isNaN) || n.reduce((a, b) => a + b, 0) !== all ? "" : [...n, $("edit-turn").value].join("-");
}

// tell says whether the seeds are all there.
function tell() {
  const n = seeds(), sum = n.reduce((a, b) => a + b, 0), bad = fields.findIndex((_, i) => Number.isNaN(n[i]));
  $("edit-said").textContent = bad >= 0 ? `${fields[bad].ariaLabel}: expected a number of seeds.` : sum === all ? "48 seeds, as there must be." : `${sum} of 48 seeds: ${sum < all ? `${all - sum} missing` : `${sum - all} too many`}.`;
  $("edit-use").disabled = $("edit-link").disabled = !text();
}

function fill(houses, stores, turn) {
  [...houses, ...stores].forEach((n, i) => { fields[i].value = n; });
  $("edit-turn").value = "SN"[turn];
  tell();
}

// editor makes the form. now() is what the board shows, use(board) puts one on it, and
// share(board) gives its link.
export function editor(now, use, share) {
  const houses = letters.map((l, h) => field(l, `${l}, ${sides[h > 5 ? 1 : 0]}'s house`));
  const stores = sides.map((s) => field(`${s}'s store`, `${s}'s store`));
  $("edit-houses").replaceChildren(...[...houses.slice(6).reverse(), ...houses.slice(0, 6)]);
  $("edit-stores").prepend(...stores);
  const fromBoard = () => { const n = now(); fill(n.houses, n.stores, n.turn); };
  $("edit").addEventListener("toggle", () => { if ($("edit").open) fromBoard(); });
  $("edit-now").addEventListener("click", fromBoard);
  $("edit-start").addEventListener("click", () => fill(Array(12).fill(4), [0, 0], 0));
  $("edit-empty").addEventListener("click", () => fill(Array(12).fill(0), [0, 0], 0));
  $("edit-link").addEventListener("click", () => share(text()));
  $("edit-form").addEventListener("submit", (e) => { e.preventDefault(); if (text()) use(text()); });
}
