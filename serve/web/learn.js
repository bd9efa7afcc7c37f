// Learn from your mistakes: the player meets each bad move of a reviewed game again, until they find a
// better one or ask for the answer.

import { el, get, listen, redraw, worth } from "./talk.js";
import { letters, sides } from "./draw.js";

// judged reviews the last move of a game.
const judged = (game) => new Promise((done, failed) => {
  listen("/api/review", { ...game, skip: game.moves.length - 1 }, { done: ({ found }) => done(found[0]), failed: (f) => failed(new Error(f.error)) });
});

// lost describes the loss of a move, without the better move.
const lost = (m) => `${m.move}: ${worth(m, m.score, m.chance)} instead of ${worth(m, m.best_score, m.best_chance)}`;

// refuted describes the opponent's answer to a bad move.
const refuted = (m) => lost(m) + (m.refutation?.length > 1 ? `; the answer is ${m.refutation[1]}.` : ".");

// lesson goes through mistakes. place is the element for its text; game has the rules, the first board
// and the moves; view.number(m) is the number of the move of a mistake, view.show(n) shows the board after
// n moves, view.play(n, moves) animates moves on it, and view.end() is called when the lesson ends.
export function lesson(place, game, mistakes, view) {
  let at = -1, legal = [], found = 0, first = 0, tries = 0, busy = false, over = false;
  const played = () => mistakes[at].ply - 1;
  const after = (move) => ({ ...game, moves: game.moves.slice(0, played()) + move });

  function tell(text, ...buttons) {
    const title = `Mistake ${Math.min(at + 1, mistakes.length)} of ${mistakes.length}`;
    place.hidden = false;
    redraw(place, el("h3", {}, at < mistakes.length ? title : "The lesson is over"), el("p", { role: "status" }, text), el("div", { class: "row" }, buttons.map(([name, click]) => el("button", { type: "button", click }, name))));
  }
  const leave = ["End the lesson", end];
  const on = () => [at + 1 < mistakes.length ? "Next mistake" : "How I did", next];
  const how = (m) => (m.refutation?.length > 1 ? [["Show why", () => view.play(played(), m.refutation)]] : []);

  async function next() {
    tries = 0;
    legal = [];
    if (++at >= mistakes.length) {
      tell(`You found a better move for ${found} of ${mistakes.length} ${mistakes.length === 1 ? "mistake" : "mistakes"}, ${first} at the first try.`, ["Once more", () => { at = -1; found = first = 0; next(); }], leave);
      return;
    }
    const m = mistakes[at];
    try {
      legal = (await get("/api/game", after(""))).legal;
    } catch (e) {
      tell(e.message, leave);
      return;
    }
    if (over) return;
    view.show(m.ply - 1);
    tell(`${m.side} played ${view.number(m)} ${m.move} here, a ${m.mark}. Find a better move for ${m.side}.`, ["Show the answer", give], leave);
  }

  function give() {
    const m = mistakes[at];
    legal = [];
    view.show(m.ply - 1, letters.indexOf(m.best));
    tell(`${m.best} was best (${worth(m, m.best_score, m.best_chance)}). ${refuted(m)}`, on(), ...how(m), leave);
  }

  // pressed handles a house that the player tries.
  async function pressed(h) {
    const move = legal.find((l) => l.house === h), m = mistakes[at];
    if (busy || !move) return;
    busy = true;
    try {
      if (move.move !== m.best && move.move !== m.move) tell(`Checking ${move.move} …`, leave);
      const tried = move.move === m.best ? { mark: "" } : move.move === m.move ? m : await judged(after(move.move));
      if (over) return;
      if (tried.mark === "mistake" || tried.mark === "blunder") {
        tries++;
        tell(`${move.move === m.move ? "That is the move of the game. " : ""}${refuted(tried)} Try again.`, ...how(tried), ["Show the answer", give], leave);
        return;
      }
      found++;
      if (tries === 0) first++;
      legal = [];
      view.show(m.ply - 1, h);
      tell(`${move.move} is ${move.move === m.best ? "the best move" : `good, too; ${m.best} is best`}. The game: ${refuted(m)}`, on(), ...how(m), leave);
    } catch (e) {
      tell(e.message, ["Show the answer", give], leave);
    } finally {
      busy = false;
    }
  }

  function end() {
    if (over) return;
    over = true;
    place.hidden = true;
    place.replaceChildren();
    view.end();
  }

  next();
  return { pressed, end, get legal() { return legal; }, get ply() { return at < mistakes.length ? mistakes[at].ply - 1 : -1; } };
}
