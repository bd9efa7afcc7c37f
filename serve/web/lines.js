// The lines of best play. Each move is a button: pointing at it or focusing it shows the board after
// it, pressing it plays it.

import { el, fixed, get } from "./talk.js";

const few = 3, long = 12; // lines that are shown unless all are asked for; moves of a line

// worthOf formats the value of a move: its chance, or its score if that is proven or there is no
// calibration.
export const worthOf = (l, chances) => (chances && Math.abs(l.score) <= 10000 ? `${Math.round(l.chance)} %` : fixed(l.text));

// bestLines shows lines in the body of a table; more is the button for all of them. view.after(moves)
// returns the game with more moves, view.show(move) shows the board after a move (null: as it is),
// view.play(moves) plays moves, and view.number(k) is the number of move k of a line, from 0.
export function bestLines(body, more, view) {
  let found = null, looked = null, pressed = false, all = false;

  function draw() {
    const shown = all ? found.lines : found.lines.slice(0, few);
    more.hidden = found.lines.length <= few;
    more.setAttribute("aria-expanded", String(all));
    more.textContent = all ? "Best three" : `All ${found.lines.length} moves`;
    body.replaceChildren(...shown.map((l) => el("tr", {}, el("th", { scope: "row" }, l.move),
      el("td", { class: "number", title: `score ${fixed(l.text)}` }, worthOf(l, found.wdl)),
      el("td", { class: "pv" }, [...l.pv].slice(0, long).map((move, k) => step(l, move, k))))));
  }

  const step = (l, move, k) => el("button", {
    type: "button", class: "step", "aria-label": view.number(k) + move,
    pointermove: (e) => { if (e.movementX || e.movementY) look(l, k); }, focus: (e) => { if (e.target.matches(":focus-visible")) look(l, k); },
    click: () => view.play(l.pv.slice(0, k + 1)),
  }, move);

  async function look(l, k) {
    if (looked?.l === l && looked.k === k) return;
    const mine = looked = { l, k };
    try {
      const { line } = await (l.game ??= get("/api/game", view.after(l.pv)));
      if (looked === mine) view.show(line[line.length - l.pv.length + k]);
    } catch {
      leave(); // the analysis shows the same error
    }
  }

  function leave() {
    if (!looked) return;
    looked = null;
    view.show(null);
    refresh();
  }

  // refresh draws the latest results, unless that would replace a button that is in use: one that is
  // looked at, pressed, or has the focus.
  function refresh() {
    if (found && !looked && !pressed && !body.contains(document.activeElement)) draw();
  }

  // left handles the focus that moves on. Within the lines, the next button keeps it.
  function left(e) {
    if (body.contains(e.relatedTarget)) return;
    leave();
    setTimeout(refresh); // when the focus has moved
  }
  body.addEventListener("pointerdown", () => { pressed = true; }); // a pressed button must not be replaced before its click
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(() => { pressed = false; }, 100));
  body.addEventListener("pointerleave", leave);
  body.addEventListener("focusout", left);
  more.addEventListener("click", () => { all = !all; draw(); });

  return {
    get looking() { return looked !== null; },
    // tell shows the results of an analysis, unless the user looks at a line.
    tell(i) {
      found = i;
      refresh();
    },
    // clear removes the lines before another position.
    clear() {
      if (body.contains(document.activeElement)) body.closest("[tabindex]").focus();
      found = looked = null;
      more.hidden = true;
      body.replaceChildren();
    },
  };
}
