// The page of the board: play, analysis, review, sharing. A game is its rules, first board and moves;
// the server computes everything else.

import { $, count, el, fault, fixed, get, listen, post, redraw, remembered, signed, typing, worth } from "./talk.js";
import { ahead, chances, deepening, grades } from "./charts.js";
import { clock } from "./clock.js";
import { boardIn, letters, sides, sign, sow } from "./draw.js";
import { editor } from "./edit.js";
import { lesson } from "./learn.js";
import { bestLines, worthOf } from "./lines.js";
import { sibling, branchOf, cut, glyphs, addLine, mainFrom, parseTree, promote, movesTo, tagsOf, treeText } from "./tree.js";
import { seedFalls, seedsTaken } from "./sound.js";

const asksAnalysis = new URLSearchParams(location.search).has("analyse");
const page = JSON.parse($("data").textContent);
let state = page.game;
let lines = parseTree(state.tree ?? ""); // all lines of the game
let path = []; // the nodes of the line on the board
let shown = state.line.length; // the number of moves that have been made on the board
let turned = false; // North is at the bottom
let person = 0; // the person's side, if there is an opponent
let level = ""; // of the opponent; "" for none
let ended = null; // a game given up or lost on time: { winner, why }
let values = new Map(); // of the houses, from the analysis
let review = null; // grades of the moves
let hinted = -1;
let job = new AbortController(); // cancels the requests of this game
let sowing = null; // the move in progress: hurry() ends its animation, done is a promise
let thinking = null; // the job whose engine move is awaited
let stopAnalysis = null, stopReview = null;
let learning = null; // the lesson from the mistakes of the review

const query = () => ({ rules: state.rules, from: state.from.board, moves: state.moves });
const shot = (n = shown) => (n === 0 ? state.from : state.line[n - 1].to);
const atEnd = () => shown === state.line.length;
const turnAt = (n) => (n < state.line.length ? state.line[n].side : state.turn);
const inLesson = () => learning?.ply === shown;
const playing = () => level && !state.over && !ended;
const myTurn = () => atEnd() && !state.over && !ended && (!level || state.turn === person);
// mayBranch reports whether a move in an earlier position may start a variation: not while a clock
// runs, nor for the engine's side.
const mayBranch = () => !atEnd() && !(clock.on && playing()) && (!level || state.line[shown].side === person);
// numberAfter returns the number of the move after n others, as OGN writes it: "2." for South, "2..." for
// North. If North moves first, it makes the second half of move 1.
const numberAfter = (n) => {
  const half = n + (state.from.board.endsWith("N") ? 1 : 0);
  return `${(half >> 1) + 1}${half % 2 ? "..." : "."}`;
};
const nodeAt = (n) => (n === 0 ? lines : path[n - 1]);
const still = matchMedia("(prefers-reduced-motion: reduce)");

// ---- the board

const wood = boardIn($("board"), $("store-top"), $("store-bottom"), (h) => el("button", { type: "button", "data-house": h, click: () => pressed(h) }));
const button = wood.house;

// drawBoard shows seeds, stores and the values of the houses.
function drawBoard(houses = shot().houses, stores = shot().stores, lately = -1) {
  const settled = lately < 0 && houses === shot().houses;
  const legal = !settled ? "" : inLesson() ? learning.legal.map((m) => m.move).join("") : atEnd() && state.over ? "" : shot().legal ?? "";
  const last = settled && shown > 0 ? state.line[shown - 1].house : -1;
  const best = Math.max(...[...values.values()].map((v) => v.score));
  $("board").classList.toggle("valued", analysing());
  wood.draw(houses, stores, (h) => {
    const value = settled ? values.get(h) : undefined, hint = h === hinted && settled;
    return {
      playable: legal.includes(letters[h]) && (inLesson() || myTurn() || mayBranch()),
      kinds: [h === last && "last", h === lately && "lately", hint && "hinted", value && value.score === best && "best"],
      words: [h === last && "played last", hint && "the hint"],
      value: value?.worth ?? null,
      title: value && `score ${fixed(value.text)}`,
    };
  }, (side) => ({
    mover: turnAt(shown) === side && !state.over && !ended,
    who: !level ? "" : side === person ? "you" : level,
    more: clock.on ? [el("span", { class: "clock" }, clock.text(side))] : [],
  }));
}

// drawHeard is drawBoard with sounds, for the steps of a move.
function drawHeard(houses, stores, lately = -1) {
  drawBoard(houses, stores, lately);
  if (lately >= 0 && $("sound").checked) houses[lately] ? seedFalls(houses[lately]) : seedsTaken();
}

// ---- the game

let begun = null; // whether there is a game on the board

// fold closes the settings when a game begins, and opens them when there is none.
function fold() {
  const now = shareable() !== "";
  if (now !== begun) $("settings").open = !now;
  begun = now;
  $("welcome").hidden = now || answered();
}

// answered reports whether an opponent was ever chosen.
function answered() {
  try {
    return localStorage.getItem("kroo-level") !== null;
  } catch {
    return false;
  }
}

// show renders everything that depends on the state.
function show() {
  hinted = -1;
  if (!atEnd()) values.clear();
  path = addLine(lines, state.line);
  drawBoard();
  drawMoves();
  drawKnown();
  const p = atEnd();
  $("in-force").textContent = `${state.rules} rules`;
  $("level").value = level;
  $("level-like").textContent = $("level").selectedOptions[0].dataset.against ?? "";
  $("person").value = person;
  waits();
  $("first").disabled = $("back").disabled = shown === 0;
  $("last").disabled = p;
  $("forward").disabled = nodeAt(shown).next.length === 0;
  drawBranch();
  $("undo").disabled = state.line.length === 0;
  $("hint").disabled = !myTurn();
  $("resign").disabled = state.over || !!ended || !level;
  $("review").disabled = state.line.length === 0 || !!stopReview;
  drawLinks();
  fold();
  analyseAgain();
}

// drawLinks updates the address of the page and the link to save the game.
function drawLinks() {
  const link = new URLSearchParams(query());
  keep();
  link.set(sides[person].toLowerCase(), level ? "you" : "");
  link.set(sides[1 - person].toLowerCase(), level ? `Kroo ${level}` : "");
  if (varied()) link.set("tree", treeText(lines));
  if (ended && state.moves === mainFrom(lines)) link.set("ended", ended.winner === 0 ? "1-0" : "0-1");
  $("download").href = "/api/export?" + link;
}

// waits lists the choices in the form that apply to the next game.
function waits() {
  const list = [$("rules").value !== state.rules && `${$("rules").value} rules`, $("clock").value !== clock.chosen && ($("clock").value ? "the clock" : "no clock")].filter(Boolean);
  $("waits").hidden = list.length === 0;
  $("waits").textContent = `Chosen for the next game: ${list.join(", ")}. Press Start.`;
}

// keep stores the game in the address of the page, and the opponent, the clock and whether the position is
// analysed with this address: for a reload, and for Back.
function keep() {
  history.replaceState({ level, person, ended, clock: clock.kept(), analysing: analysing() }, "", "?" + shareable());
}

// leaveGame keeps the game on the board in the history of the browser, so that Back returns to it from the
// next one. It reports whether there is a game.
function leaveGame() {
  keep();
  if (!shareable()) return false;
  history.pushState(history.state, "", location.href);
  return true;
}

// Reviews are stored for a reload: the last one of this tab.
const reviewPlace = "kroo-review";

function storeReview(found, sides) {
  try {
    sessionStorage.setItem(reviewPlace, JSON.stringify({ game: gameKey(), found, sides }));
  } catch { /* storage is disabled or full */ }
}

// storedReview returns the stored review if it is of the game on the board.
function storedReview() {
  try {
    const { game, found, sides } = JSON.parse(sessionStorage.getItem(reviewPlace));
    return game === gameKey() ? Object.assign(found, { sides }) : null;
  } catch { // nothing stored, or storage is disabled
    return null;
  }
}

// shareable returns the shortest address of the game.
function shareable() {
  const q = new URLSearchParams();
  if (state.rules !== $("rules").options[0].value) q.set("rules", state.rules);
  if (state.from.board !== "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") q.set("from", state.from.board);
  if (state.moves) q.set("moves", state.moves);
  if (varied()) q.set("tree", treeText(lines));
  return q.toString();
}

// varied reports whether there is more than the moves on the board.
const varied = () => treeText(lines) !== state.moves;

const say = (text) => { $("status").textContent = text; };

// statusText describes the last move and whose turn it is.
function statusText() {
  const last = state.line.at(-1), words = [];
  if (last) words.push(`${level && last.side !== person ? "The engine" : sides[last.side]} plays ${last.move}${last.gain ? ` and captures ${last.gain}` : ""}.`);
  if (ended) words.push(`${sides[ended.winner]} wins: ${ended.why}.`);
  else if (state.over) words.push(`The game is over (${state.reason}): ${state.outcome}.`);
  else if (!level) words.push(`${sides[state.turn]} to move.`);
  else words.push(state.turn === person ? "Your move." : "The engine thinks …");
  return words.join(" ");
}

// interrupt cancels all requests and a move in progress, before another game starts.
function interrupt() {
  job.abort();
  job = new AbortController();
  sowing?.hurry();
  sowing = null;
  $("over-board").replaceChildren();
}

// settle finishes a move in progress without animation.
async function settle() {
  while (sowing) {
    sowing.hurry();
    await sowing.done;
  }
}

// pressed handles a click on a house.
function pressed(h) {
  if (sowing) { sowing.hurry(); return; }
  if (learning?.ply >= 0) {
    if (inLesson()) learning.pressed(h);
    else step(() => learning.ply);
    return;
  }
  if (!atEnd()) { branch(letters[h]); return; }
  const move = state.legal.find((m) => m.house === h);
  if (!myTurn()) say(state.over || ended ? statusText() : "It is the engine's turn.");
  else if (!move) say(`${letters[h]} cannot be sown: ${state.legal.map((m) => m.move).join(", ")} can.`);
  else make(move);
}

// full reports whether the text of all lines has nearly reached the server's limit.
const full = () => new TextEncoder().encode(treeText(lines)).length > 32_000;

// branch makes a move in an earlier position, which starts a variation or follows one.
async function branch(move) {
  const there = nodeAt(shown).next.find((n) => n.move === move);
  if (there) go(there);
  else if (level && state.line[shown].side !== person) say(`It is the engine's turn here. Press Play on from here to have it move.`);
  else if (!mayBranch()) step(() => state.line.length);
  else if (!shot().legal?.includes(move)) say(`${move} cannot be sown here: ${[...(shot().legal ?? "")].join(", ")} can.`);
  else if (full()) say("There is no room for another line: delete one first.");
  else if (await cutHere()) make(state.legal.find((m) => m.move === move));
}

// passTime lets the time of the side to move run, if the clock runs.
function passTime() {
  const runs = clock.pause() >= 0;
  if (runs && !state.over) clock.run(state.turn);
}

// cutHere ends the line on the board at the position that is shown. The later moves remain as a
// variation.
async function cutHere() {
  const opened = await open({ ...query(), moves: state.moves.slice(0, shown) }, lines);
  if (opened) passTime();
  return opened;
}

// go shows the position after a move of any line.
async function go(node) {
  await settle();
  const moves = movesTo(node);
  if (state.moves.startsWith(moves)) await step(() => moves.length);
  else await enter(node);
}

// enter puts the line through a node on the board, up to the end of its main line.
async function enter(node) {
  const moves = movesTo(node);
  if (!await open({ ...query(), moves: moves + mainFrom(node) }, lines)) return;
  passTime();
  shown = moves.length;
  show();
  announce();
}

// playOn continues the game from the position that is shown.
async function playOn() {
  await settle();
  if (!await cutHere()) return;
  say(level ? statusText() : `${statusText()} Play both sides, or choose an opponent.`);
  reply();
}

// drawBranch shows the buttons for the line on the board.
function drawBranch() {
  const branches = !!branchOf(path[shown - 1]);
  $("play-on").hidden = atEnd() && !ended;
  $("promote").hidden = $("cut").hidden = !branches;
  $("line-row").hidden = $("play-on").hidden && !branches;
}

// make plays a move, which the engine then answers.
function make(move) {
  const pace = new AbortController(), mine = { hurry: () => pace.abort() };
  sowing = mine;
  mine.done = play(move, pace.signal).finally(() => { if (sowing === mine) sowing = null; });
}

// play plays a move at the end of the game. If an earlier position is shown, it remains on the board.
async function play(move, hurry) {
  const { signal } = job, side = state.turn, watched = atEnd();
  const next = get("/api/game", { ...query(), moves: state.moves + move.move }, signal);
  next.catch(() => {}); // it is awaited below
  stopAnalysis?.();
  forgetReview();
  values.clear();
  const running = clock.pause();
  let then;
  try {
    if (watched && $("animate").checked && !still.matches) await sow(move, side, shot(), drawHeard, button, $("over-board"), hurry);
    else if ($("sound").checked) move.takes ? seedsTaken() : seedFalls(move.path.length);
    then = await next;
  } catch (e) {
    if (signal.aborted) return;
    clock.run(running);
    fault(e);
    show();
    return;
  }
  if (signal.aborted) return;
  state = then;
  fault("");
  if (watched && shown === state.line.length - 1) shown = state.line.length;
  if (!state.over) clock.moved(side, running);
  show();
  announce();
  reply();
}

// reply requests the engine's move if it is its turn.
async function reply() {
  if (!level || state.over || ended || state.turn === person || thinking === job) return;
  const mine = thinking = job;
  try {
    const t = await get("/api/answer", { ...query(), level }, mine.signal);
    if (mine.signal.aborted) return;
    const move = state.legal.find((m) => m.move === t.move);
    if (!move) throw new Error(`${t.move} is no move here`);
    make(move);
  } catch (e) {
    if (!mine.signal.aborted) fault(`The engine does not answer: ${e.message}`);
  } finally {
    if (thinking === mine) thinking = null;
  }
}

const reviews = new Map(); // what reviews have found, by game

// open shows another game or, with its tree, another line of this one.
async function open(q, tree) {
  interrupt();
  const { signal } = job;
  try {
    const next = await get("/api/game", q, signal);
    state = next;
    lines = tree ?? parseTree(state.tree ?? "");
    shown = state.line.length;
    forgetReview();
    review = reviews.get(gameKey()) ?? null;
    if (review) offerLesson();
    ended = null;
    values.clear();
    fault(state.fault);
    show();
    return true;
  } catch (e) {
    if (!signal.aborted) fault(e);
    return false;
  }
}

const gameKey = () => new URLSearchParams(query()).toString();

// step shows the position after where() moves; where is called when no move is in progress.
async function step(where) {
  await settle();
  shown = Math.max(0, Math.min(state.line.length, where()));
  show();
  announce();
  reply();
}

// announce describes the position that is shown.
function announce() {
  if (atEnd()) say(statusText());
  else say(shown === 0 ? "Before the first move." : `After ${numberAfter(shown - 1)} ${state.line[shown - 1].move}, of ${parseInt(numberAfter(state.line.length - 1))} moves.`);
}

async function undo() {
  await settle();
  const plies = level && state.turn === person ? 2 : 1;
  if (ended) {
    ended = null;
    if (clock.on && state.line.length && clock.now(state.turn) > 0) clock.run(state.turn);
    show();
    announce();
    reply();
    return;
  }
  const left = Math.max(0, state.line.length - plies);
  const last = path.slice(left).reverse();
  if (!await open({ ...query(), moves: state.moves.slice(0, left) }, lines)) return;
  for (const n of last) if (!n.next.length) cut(n); // what other lines need stays
  passTime();
  show();
  say("Taken back. " + statusText());
  reply();
}

async function hint() {
  if (!myTurn() || sowing) return;
  const { signal } = job, of = state;
  say("Looking for a hint …");
  try {
    const h = await get("/api/hint", query(), signal);
    if (signal.aborted || state !== of || sowing || !myTurn()) return;
    hinted = state.legal.find((m) => m.move === h.search.move)?.house ?? -1;
    drawBoard();
    say(`Hint: ${h.search.move} (${h.search.chance === undefined ? `score ${fixed(h.search.score)}` : `${Math.round(h.search.chance)} %`}, depth ${h.search.depth})` + (h.book ? `; the book plays ${h.book.move}.` : "."));
  } catch (e) {
    if (!signal.aborted) fault(e);
  }
}

$("new").addEventListener("submit", async (e) => {
  e.preventDefault();
  await settle();
  const left = leaveGame();
  level = $("level").value;
  person = Number($("person").value);
  turned = level !== "" && person === 1;
  knownAsked = false;
  wood.layOut(turned);
  clock.start($("clock").value);
  if (!await open({ rules: $("rules").value })) return;
  $("settings").open = false;
  $("settings").querySelector("summary").focus();
  say(statusText() + (left ? " Back, in the browser, returns to the last game." : ""));
  reply();
});

// chooseOpponent changes level and side immediately, so that any game can be continued against any
// level.
async function chooseOpponent() {
  await settle();
  interrupt();
  level = $("level").value;
  person = Number($("person").value);
  if (turned !== (level !== "" && person === 1)) {
    turned = !turned;
    wood.layOut(turned);
  }
  if (review) offerLesson();
  show();
  say((level ? `You play ${sides[person]} against ${level}. ` : "You play both sides. ") + statusText());
  reply();
}

function finish(winner, why) {
  interrupt();
  ended = { winner, why };
  clock.pause();
  show();
  say(statusText());
}

setInterval(() => {
  if (!clock.on || clock.side < 0) return;
  const side = clock.side;
  for (const place of document.querySelectorAll(".store .clock")) {
    const mine = place.parentElement.id === (turned ? "store-top" : "store-bottom") ? 0 : 1;
    place.textContent = clock.text(mine);
  }
  if (clock.now(side) === 0) finish(1 - side, `${sides[side]}'s time is up`);
}, 200);

// ---- the moves and their grades

// grave reports whether a move is one to learn from.
const grave = (m) => m?.mark === "mistake" || m?.mark === "blunder";

// markOf returns the mark of a move. During a review, grave marks are preliminary.
const markOf = (m) => (stopReview && grave(m) ? "checking" : m?.mark ?? "");

function drawMoves() {
  $("no-moves").hidden = lines.next.length > 0;
  redraw($("moves"), ...drawLine(lines, 0));
  const current = $("moves").querySelector("[aria-current]");
  $("moves").scrollTop = current ? Math.max(0, current.offsetTop - $("moves").clientHeight / 2) : 0;
  drawVerdict();
  drawSummary();
  drawComments();
}

let annotated = null; // what the fields annotate: the last move shown when they were drawn, or the game

// drawComments shows the tags of the record, and the comment and glyph of the last move shown. While
// somebody types a comment, the fields stay as they are.
function drawComments() {
  const tags = tagsOf(lines).map((t) => `${t.name}: ${t.value}`).join(" · "), { said } = nodeAt(shown);
  $("record").hidden = !tags;
  $("record").textContent = tags;
  $("comment").hidden = !said;
  $("comment").textContent = said;
  $("annotate").hidden = lines.next.length === 0;
  if (document.activeElement === $("said")) return;
  annotated = nodeAt(shown);
  $("said").value = said;
  $("annotated").textContent = shown === 0 ? "Comment on the game" : `Annotate ${numberAfter(shown - 1)} ${path[shown - 1].move}`;
  $("glyphs").hidden = shown === 0;
  redraw($("glyphs"), ...glyphs.slice(1).map(([text, name], i) => el("button", { type: "button", "aria-label": `${name} ${text}`, "aria-pressed": String(nodeAt(shown).glyph === i + 1), click: () => annotate({ glyph: i + 1 }) }, text)));
}

// annotate toggles a glyph of the move that the fields are for, or sets its comment.
function annotate({ glyph, said }) {
  const node = annotated, before = { ...node };
  if (said !== undefined) node.said = said.replaceAll("{", "(").replaceAll("}", ")").split(/\s+/).filter(Boolean).join(" ");
  else node.glyph = node.glyph === glyph ? 0 : glyph;
  if (full()) {
    Object.assign(node, { said: before.said, glyph: before.glyph });
    say("There is no room for another comment: shorten one first.");
  }
  if (said === undefined) drawMoves();
  else drawComments(); // without the moves: a button that is pressed must not be replaced before its click
  drawLinks();
}

// drawLine lists the moves after a node, each followed by its variations. plies is the number of moves
// before them. As in OGN, a number is before South's moves and before the first of a line.
function drawLine(at, plies) {
  const items = [];
  for (let numbered = true; at.next.length; at = at.next[0], plies++) {
    const [main, ...others] = at.next;
    items.push(el("li", {}, drawPly(main, plies, numbered)));
    for (const o of others) items.push(el("li", { class: "branch" }, el("ol", { "aria-label": `Instead of ${numberAfter(plies)} ${main.move}` }, el("li", {}, drawPly(o, plies, true)), drawLine(o, plies + 1))));
    numbered = others.length > 0;
  }
  return items;
}

// drawPly is the button of a move; numbered shows its number also for North.
function drawPly(node, i, numbered) {
  const found = path[i] === node ? review?.[i] : null, north = node.move >= "a";
  const mark = markOf(found), name = node.move + (node.gain ? `+${node.gain}` : "") + (glyphs[node.glyph][0] || (grades[mark] ?? ""));
  const words = [`${numberAfter(i)} ${name}`, sides[north ? 1 : 0], node.gain ? `captures ${node.gain}` : "", found?.book ? "recommended by the book" : "", glyphs[node.glyph][1] && `annotated as ${glyphs[node.glyph][1]}`, mark, node.said ? "with a comment" : ""].filter(Boolean);
  return el("button", {
    type: "button", class: ["ply", north ? "north" : "south", mark].filter(Boolean).join(" "),
    "aria-label": words.join(", "), "data-ply": i + 1, "aria-current": path[i] === node && i === shown - 1 ? "step" : null, click: () => go(node),
  }, numbered || !north ? el("small", {}, numberAfter(i)) : null, ` ${name}`, mark in grades ? sign(mark) : null, node.said ? el("span", { "aria-hidden": "true" }, "…") : null, found?.book ? sign("book") : null);
}

// drawVerdict describes the grade of the last move shown.
function drawVerdict() {
  const m = review?.[shown - 1];
  $("verdict").hidden = !m;
  if (!m) return;
  $("verdict").textContent = `${m.side}, ${numberAfter(m.ply - 1)} ${m.move} (${worth(m, m.score, m.chance)})` + (m.best !== m.move ? `; best was ${m.best} (${worth(m, m.best_score, m.best_chance)})` : ", the best move") + (markOf(m) ? `: ${markOf(m)}` : "") + (m.book ? "; recommended by the book" : "") + (m.opening ? "; of the opening, not graded" : "") + ".";
}

// prescribed returns the number of moves of a match's opening, which its players did not choose.
const prescribed = () => {
  const chosen = path.findIndex((n) => n.said !== "opening");
  return chosen < 0 ? path.length : chosen;
};

// forgetReview cancels or removes the review.
function forgetReview() {
  stopReview?.();
  stopReview = null;
  review = null;
  learning?.end();
  $("learn").hidden = true;
}

// lessons are the mistakes to learn from: the person's, or both sides'.
const lessons = () => review.filter((m) => grave(m) && (!level || m.side === sides[person]));

function offerLesson() {
  learning?.end();
  $("learn").hidden = lessons().length === 0;
  $("learn").textContent = `Learn from ${level ? "your" : "the"} mistakes (${lessons().length})`;
}

async function startLesson() {
  await settle();
  const { signal } = job;
  learning?.end();
  $("learn").hidden = true;
  learning = lesson($("lesson"), query(), lessons(), {
    number: (m) => numberAfter(m.ply - 1),
    show: (n, mark = -1) => { shown = n; show(); announce(); hinted = mark; drawBoard(); },
    play: (before, moves) => demonstrate(before, moves, signal),
    end: () => { learning = null; $("learn").hidden = !review || lessons().length === 0; $("over-board").replaceChildren(); show(); },
  });
}

// demonstrate animates the first moves of a line after the first moves of the game, then shows the
// game again.
async function demonstrate(before, moves, signal) {
  if (sowing) return;
  const pace = new AbortController(), mine = { hurry: () => pace.abort() };
  const sown = async () => {
    const game = await get("/api/game", { ...query(), moves: state.moves.slice(0, before) + moves }, signal);
    let at = shot(before);
    for (const m of game.line.slice(before, before + 5)) {
      if (pace.signal.aborted || signal.aborted) break;
      say(`${sides[m.side]} plays ${m.move}${m.gain ? ` and captures ${m.gain}` : ""}.`);
      await sow(m, m.side, at, drawHeard, button, $("over-board"), pace.signal);
      at = m.to;
    }
    await new Promise((done) => setTimeout(done, 900));
  };
  sowing = mine;
  mine.done = sown().catch((e) => { if (!signal.aborted) fault(e); }).finally(() => {
    if (sowing === mine) sowing = null;
    drawBoard();
  });
}

// summary is the row of a side: accuracy and counts.
const summary = (s) => el("tr", {}, el("th", { scope: "row" }, s.side),
  [s.accuracy === undefined ? "–" : `${Math.round(s.accuracy)} %`, s.mean_lost === undefined ? "–" : `${fixed(s.mean_lost, 1)} %`, s.inaccuracies, s.mistakes, s.blunders].map((n) => el("td", { class: "number" }, String(n))));

// worstMoves are the worst moves of a side.
const worstMoves = (s) => el("p", { class: "row" }, `${s.side}'s worst moves: `, s.worst ? s.worst.map((n) => drawPly(path[n - 1], n - 1, true)) : "none");

// drawSummary compares the sides after a review.
function drawSummary() {
  $("summary").hidden = !review?.sides || !!stopReview;
  if ($("summary").hidden) return;
  const columns = Object.entries(grades).filter(([name]) => name !== "checking");
  redraw($("summary"), el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Side"), el("th", { scope: "col", class: "number" }, "Accuracy"), el("th", { scope: "col", class: "number", title: "mean chance lost per move" }, "Lost per move"),
    columns.map(([name, text]) => el("th", { scope: "col", class: "number", title: `${name} ${text}` }, sign(name), el("span", { class: "hidden" }, name))))),
  el("tbody", {}, review.sides.map(summary))),
  ...review.sides.map(worstMoves),
  el("p", { class: "note" }, "Accuracy: 100 % if no move loses winning chances. Lost per move: the mean of these losses."));
}

async function startReview() {
  await settle();
  forgetReview();
  fault("");
  drawMoves();
  $("review").disabled = true;
  $("graph").hidden = false;
  const bar = el("progress", { max: state.line.length, value: 0, "aria-label": "Review" });
  $("graph").replaceChildren(bar);
  const moves = state.line.length, opening = prescribed();
  stopReview = listen("/api/review", { ...query(), ...(opening && { opening }) }, {
    waiting: () => { $("graph").append(el("p", { class: "note" }, "Waiting for a turn …")); },
    progress: (p) => {
      review = [...Array(p.total - p.found.length), ...p.found];
      drawMoves();
      drawGraph();
      bar.value = p.found.length;
      $("graph").append(el("p", { class: "note" }, p.found.length < p.total ? `Checking move ${numberAfter(p.total - p.found.length - 1)} of ${parseInt(numberAfter(p.total - 1))}, from the end.` : "Checking the mistakes."), bar);
    },
    done: (r) => {
      const found = r?.found;
      if (found?.length !== moves) throw new Error("what the server answers cannot be read");
      stopReview = null;
      review = Object.assign(found, { sides: r.sides });
      reviews.set(gameKey(), found);
      storeReview(found, r.sides);
      $("review").disabled = false;
      drawMoves();
      drawGraph();
      say("The game is reviewed." + r.sides.map((s) => (s.accuracy === undefined ? "" : ` ${s.side}: accuracy ${Math.round(s.accuracy)} %.`)).join(""));
      offerLesson();
    },
    failed: (f) => {
      forgetReview();
      $("review").disabled = false;
      $("graph").hidden = true;
      drawMoves();
      fault(`The game cannot be reviewed: ${f.error}`);
    },
  });
}

// graphed lists the moves of the review, or those whose positions were analysed.
const graphed = () => (review
  ? [...review].map((m) => m && { ...m, mark: markOf(m) })
  : path.map((n, i) => (n.value ? { ply: i + 1, side: sides[state.line[i].side], move: n.move, mark: "", ...n.value } : undefined)));

function drawGraph() {
  const drawn = chances(graphed(), !!review, Math.max(280, Math.min(640, $("moves").clientWidth)), (ply) => step(() => ply), numberAfter);
  $("graph").hidden = !drawn;
  if (drawn) $("graph").replaceChildren(...drawn);
}

// ---- analysis

// valueFor converts the analysis of a position for the side that moved last.
const valueFor = (i) => ({ depth: i.depth, score: -i.score, calibrated: !!i.wdl, chance: i.wdl ? (i.wdl[2] + i.wdl[1] / 2) / 10 : 0 });

const analysing = () => $("analyse").getAttribute("aria-pressed") === "true";

function analyseAgain() {
  stopAnalysis?.();
  stopAnalysis = null;
  $("turn").textContent = "";
  if (!stopReview) drawGraph();
  $("deepening").hidden = true;
  if (!analysing()) { ahead($("bar"), $("ahead"), null); return; }
  best.clear();
  for (const id of ["margin", "score", "depth", "nodes"]) $(id).textContent = "–";
  ahead($("bar"), $("ahead"), null);
  const threat = threatens(), turn = turnAt(shown);
  $("pointing").hidden = threat || !!playing(); // moves of a line cannot be played then
  $("threat-note").hidden = !threat;
  $("threat-note").textContent = `What ${sides[1 - turn]} would play if it were ${sides[1 - turn]}'s move.`;
  values.clear();
  if (atEnd() && state.over) return;
  const deeper = [], node = nodeAt(shown);
  const waiting = (yes) => { $("turn").textContent = yes ? "waiting for a turn …" : ""; };
  const found = (i) => {
    waiting(false);
    if (deeper.at(-1)?.depth !== i.depth) deeper.push(i);
    drawDeepening(deeper);
    if (!threat && i.depth >= (node.value?.depth ?? 0)) node.value = valueFor(i); // the graph grows as the game is stepped through
    if (!stopReview) drawGraph();
    $("score").textContent = fixed(i.text);
    $("depth").textContent = i.depth;
    $("nodes").textContent = count(i.nodes);
    $("nodes").title = i.seconds > 0.05 ? `${count(i.nodes / i.seconds)} per second` : "";
    $("margin").textContent = i.wdl ? signed(Math.round(i.margin)) : "–";
    $("worth").textContent = i.wdl ? "Chance" : "Score";
    $("analysis-note").hidden = !i.wdl;
    $("borrowed").hidden = !i.borrowed;
    if (!threat) ahead($("bar"), $("ahead"), i.wdl, turn, turned);
    best.tell(i);
    values = new Map(i.lines.map((l) => [letters.indexOf(l.move), { ...l, worth: worthOf(l, i.wdl) }]));
    if (!sowing && !best.looking) drawBoard();
  };
  stopAnalysis = listen("/api/analyse", { ...analysed(), ...($("endless").checked && { endless: 1 }) }, {
    begin: () => { deeper.length = 0; },
    waiting: () => { deeper.length = 0; waiting(true); },
    found,
    done: found,
    failed: (f) => { waiting(false); fault(`The analysis has ended: ${f.error}`); },
  });
}

function drawDeepening(all) {
  const drawn = deepening(all);
  $("deepening").hidden = !drawn;
  if (drawn) $("deepening").replaceChildren(...drawn);
}

// ---- the lines of best play

const threatens = () => $("threat").getAttribute("aria-pressed") === "true";

// analysed returns the position to analyse: the one that is shown or, for a threat, the same with the
// other side to move.
const analysed = () => (threatens()
  ? { rules: state.rules, from: shot().board.replace(/[SN]$/, (c) => (c === "S" ? "N" : "S")), moves: "" }
  : { ...query(), moves: state.moves.slice(0, shown) });

const best = bestLines($("lines"), $("all-lines"), {
  after: (moves) => { const q = analysed(); return { ...q, moves: q.moves + moves }; },
  number: (k) => (threatens() ? "" : numberAfter(shown + k) + " "),
  show: (m) => { if (!sowing) m ? drawBoard(m.to.houses, m.to.stores, m.house) : drawBoard(); },
  play: follow,
});

// follow plays the moves of a line, as a variation where they differ from the game.
async function follow(moves) {
  if (threatens()) { say("A threat is shown, not played: it is not that side's move."); return; }
  if (playing()) { say("Lines can be played when the game is over, or against nobody."); return; }
  await settle();
  let at = nodeAt(shown);
  const there = [...moves].every((m) => (at = at.next.find((n) => n.move === m)));
  if (there) await go(at);
  else if (full()) say("There is no room for another line: delete one first.");
  else if (await open({ ...query(), moves: state.moves.slice(0, shown) + moves }, lines)) announce();
}

let knownAsked = false; // show book and tables also during a game or a lesson
let knownJob = new AbortController();

// drawKnown shows the values of the book and the endgame tables for the position that is shown;
// during a game or a lesson, only on request.
async function drawKnown() {
  knownJob.abort();
  knownJob = new AbortController();
  const { signal } = knownJob;
  const secret = playing() || learning?.ply >= 0;
  $("known-row").hidden = !secret;
  $("ask-known").setAttribute("aria-pressed", String(knownAsked));
  if (secret && !knownAsked) { $("known").hidden = true; return; }
  try {
    const k = await get("/api/known", { ...query(), moves: state.moves.slice(0, shown) }, signal);
    if (!signal.aborted) showKnown(k);
  } catch (e) {
    if (!signal.aborted) $("known").hidden = true; // the game shows the same error
  }
}

function showKnown(k) {
  const parts = [];
  if (k.book?.length) {
    parts.push(el("h3", {}, "Book"), el("p", { class: "chips" }, k.book.map((m) => el("button", { type: "button", class: m.best ? "chip best" : "chip", click: () => follow(m.move) }, el("b", {}, m.best ? `${m.move} ★` : m.move), ` ${[m.worth, m.margin].filter(Boolean).join(", ")}`))), el("p", { class: "note" }, `${k.book[0].margin ? "Chance of a win plus half that of a draw, and expected margin in seeds" : "Score in seeds"}, for the side to move. ★: the book recommends the move. Press a move to play it.`));
  }
  if (k.table) {
    const t = k.table, between = (a, b) => (a === b ? signed(a) : `${signed(a)} to ${signed(b)}`);
    parts.push(el("h3", {}, "Endgame tables"),
      el("p", {}, `With best play ${sides[k.turn]} ends with ${between(t.final_low, t.final_high)} seeds against the other side (${t.exact ? "exact" : "bounds"}${k.earlier ? ", if no earlier position recurs" : ""}).`),
      el("p", { class: "chips" }, t.moves.map((m) => el("span", { class: "chip" }, el("b", {}, m.move), ` ${between(m.low + t.final_low - t.low, m.high + t.final_low - t.low)}`))));
    if (t.line) parts.push(el("p", { class: "note" }, `Best line: ${t.line}`));
  }
  $("known").hidden = parts.length === 0;
  $("known").replaceChildren(...parts);
}

// ---- sharing and loading

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("shared").textContent = `${what} is copied.`;
  } catch {
    $("text").value = text;
    $("text").select();
    $("shared").textContent = `${what} is in the field below: copy it from there.`;
  }
}

// linked returns the game of a link to this page; null for other texts.
function linked(text) {
  if (!/^(https?:\/\/\S*)?\?\S*$/.test(text.trim())) return null;
  const q = new URLSearchParams(text.trim().split("?")[1].split("#")[0]);
  if (!["rules", "from", "moves", "tree"].some((name) => q.has(name))) return null;
  return { rules: q.get("rules") ?? "", from: q.get("from") ?? "", moves: q.get("moves") ?? "", tree: q.get("tree") ?? "", games: 1 };
}

// linkOf returns the query of a position under the rules of the form.
function linkOf(board) {
  const rules = $("rules").value;
  return new URLSearchParams({ ...(rules !== $("rules").options[0].value && { rules }), from: board });
}

async function load(text, done = "Loaded.") {
  $("shared").textContent = "";
  fault("");
  try {
    const link = linked(text), g = link ?? await post("/api/import", { rules: $("rules").value }, text);
    await settle();
    leaveGame();
    if (!await open({ rules: g.rules, from: g.from, moves: g.moves, tree: g.tree ?? "", ...(link && { partial: 1 }) })) {
      reply(); // opening has interrupted the engine
      return;
    }
    level = "";
    clock.start($("clock").value = "");
    $("rules").value = state.rules;
    show();
    waits();
    announce();
    $("shared").textContent = state.fault ? "" : g.games > 1 ? `The first of ${g.games} games is loaded. Files lists the games of a file in the served folder.` : done;
  } catch (e) {
    $("shared").textContent = e.message;
  }
}

// ---- buttons and keys

$("first").addEventListener("click", () => step(() => 0));
$("back").addEventListener("click", () => step(() => shown - 1));
$("forward").addEventListener("click", onward);
$("last").addEventListener("click", () => step(() => state.line.length));
$("undo").addEventListener("click", undo);
$("play-on").addEventListener("click", playOn);
$("promote").addEventListener("click", () => { promote(nodeAt(shown)); show(); say("This is the main line now."); });
$("cut").addEventListener("click", async () => {
  await settle();
  const from = branchOf(nodeAt(shown));
  cut(from);
  await enter(from.up);
  say("The line is deleted.");
});
$("hint").addEventListener("click", hint);
$("flip").addEventListener("click", () => { turned = !turned; wood.layOut(turned); drawBoard(); });
$("resign").addEventListener("click", async () => { await settle(); if (!state.over) finish(1 - person, `${sides[person]} resigns`); });
$("review").addEventListener("click", startReview);
for (const id of ["level", "person"]) $(id).addEventListener("change", chooseOpponent);
for (const id of ["rules", "clock"]) $(id).addEventListener("change", waits);
$("learn").addEventListener("click", startLesson);
$("analyse").addEventListener("click", toggleAnalysis);
$("endless").addEventListener("change", analyseAgain);
$("threat").addEventListener("click", toggleThreat);
$("welcome").querySelector(".row").prepend(...page.levels.map((l) => el("button", { type: "button", "data-level": l.Name }, l.For)));
for (const b of $("welcome").querySelectorAll("button")) {
  b.addEventListener("click", () => {
    $("level").value = b.dataset.level;
    $("level").dispatchEvent(new Event("change"));
    $("welcome").hidden = true;
    button(myTurn() ? state.legal[0].house : 0).focus();
  });
}
$("show-keys").addEventListener("click", () => $("keys-list").showModal());
$("said").addEventListener("input", () => annotate({ said: $("said").value }));
$("said").addEventListener("change", () => setTimeout(drawMoves, 500)); // after the click that has left the field
$("ask-known").addEventListener("click", () => { knownAsked = !knownAsked; drawKnown(); });
// Back and Forward lead to another game of the history.
addEventListener("popstate", (e) => { if (e.state) location.reload(); }); // a link within the page has no state
// Leaving the page stops the analysis, even if the browser keeps the page in its cache.
addEventListener("pagehide", () => stopAnalysis?.());
addEventListener("pageshow", (e) => { if (e.persisted) analyseAgain(); });
editor(() => ({ ...shot(), turn: turnAt(shown) }), (board) => load(board, "The position is on the board."), (board) => copy(location.origin + "/?" + linkOf(board), "The link"));
$("copy-link").addEventListener("click", () => copy(location.href, "The link"));
$("copy-board").addEventListener("click", () => copy(shot().board, "The board"));
$("load").addEventListener("click", () => load($("text").value));
$("file").addEventListener("change", async (e) => { if (e.target.files[0]) load(await e.target.files[0].text()); e.target.value = ""; });

// onward shows the position after the next move, or follows another line at the end of this one.
function onward() {
  const next = atEnd() ? nodeAt(shown).next[0] : null;
  if (next) go(next);
  else step(() => shown + 1);
}

function toggleAnalysis() {
  const on = !analysing();
  $("analyse").setAttribute("aria-pressed", String(on));
  $("analysis").hidden = $("threat").hidden = !on;
  values.clear();
  analyseAgain();
  drawBoard();
  keep();
}

function toggleThreat() {
  $("threat").setAttribute("aria-pressed", String(!threatens()));
  analyseAgain();
  drawBoard();
}

document.addEventListener("keydown", (e) => {
  if (e.key === "?" && !typing(e) && !$("keys-list").open) $("keys-list").showModal();
  if ($("keys-list").open || !$("keys").checked || e.ctrlKey || e.altKey || e.metaKey || typing(e)) return;
  const key = e.key.toLowerCase(), at = "abcdef".indexOf(key);
  if (e.key.length === 1 && at >= 0) pressed(at + 6 * turnAt(shown));
  else if (e.key === "ArrowLeft") step(() => shown - 1);
  else if (e.key === "ArrowRight") onward();
  else if (e.key === "ArrowUp" && sibling(path[shown - 1], -1)) go(sibling(path[shown - 1], -1));
  else if (e.key === "ArrowDown" && sibling(path[shown - 1], 1)) go(sibling(path[shown - 1], 1));
  else if (key === "u" && !$("undo").disabled) undo();
  else if (key === "h") hint();
  else if (key === "v") toggleAnalysis();
  else if (key === "t" && analysing()) toggleThreat();
  else return;
  e.preventDefault();
});

$("level").append(...page.levels.map((l) => el("option", { value: l.Name, "data-against": l.Against }, `${l.Name}: ${l.Like}`)));
$("rules").append(...page.rules.map((name) => el("option", {}, name)));

// The page starts with the game of its address, or a new game against the last level. With reduced
// motion, sound is off until it is turned on.
if (still.matches) $("sound").checked = false;
remembered(["level", "person", "clock", "animate", "sound", "keys", "endless"]);
if (still.matches) $("animate").checked = false;
$("rules").value = state.rules;
const before = history.state; // of keep, if the page was here before
level = before ? before.level : state.line.length || shareable().includes("from=") ? "" : $("level").value;
person = before ? before.person : Number($("person").value);
ended = before?.ended ?? null;
turned = level !== "" && person === 1;
if (!level) $("clock").value = "";
clock.start(before?.clock?.text ?? (level ? $("clock").value : ""), before?.clock?.left);
wood.layOut(turned);
show();
say(statusText());
if (page.fault) fault(page.fault);
if (asksAnalysis || before?.analysing) toggleAnalysis();
review = storedReview();
if (review) {
  reviews.set(gameKey(), review);
  offerLesson();
  drawMoves();
  drawGraph();
}
performance.mark("board");
document.documentElement.dataset.ready = "true";
reply();

// On small screens the game stays at the top: what gets the focus or is scrolled to stops below it.
const game = document.querySelector(".game");
new ResizeObserver(() => {
  document.documentElement.style.scrollPaddingTop = getComputedStyle(game).position === "sticky" ? `${game.offsetHeight}px` : "";
}).observe(game);
