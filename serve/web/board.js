// The page of the board: play, analysis, review, sharing. The game is its rules, first
// board and moves; the server works everything else out of these.

import { $, count, el, get, listen, post, remembered, svg } from "./talk.js";
import { house, nameOf, sow, strip } from "./draw.js";

const sides = ["South", "North"];
const asksAnalysis = new URLSearchParams(location.search).has("analyse");
let state = JSON.parse($("state").textContent);
let shown = state.line.length; // how many moves of the line the board shows
let turned = false; // North is at the bottom
let person = 0; // the side of the person; with no opponent, both are
let level = null; // of the opponent, null before the first game is started
let ended = null; // a game given up or lost on time: { winner, why }
let values = new Map(); // of the houses, by the analysis
let review = null; // what the moves were worth
let hinted = -1;
let job = new AbortController(); // what is being waited for, sown or thought about
let stopAnalysis = null, stopReview = null;

const query = () => ({ rules: state.rules, from: state.from.board, moves: state.moves });
const shot = (n = shown) => (n === 0 ? state.from : state.line[n - 1].to);
const atEnd = () => shown === state.line.length;
const turnAt = (n) => (n < state.line.length ? state.line[n].side : state.turn);
const myTurn = () => atEnd() && !state.over && !ended && (!level || state.turn === person);
const still = matchMedia("(prefers-reduced-motion: reduce)");

// ---- the board

// layOut puts the houses in their places.
function layOut() {
  const rows = turned ? [[5, 4, 3, 2, 1, 0], [6, 7, 8, 9, 10, 11]] : [[11, 10, 9, 8, 7, 6], [0, 1, 2, 3, 4, 5]];
  $("board").tBodies[0].replaceChildren(...rows.map((row) => el("tr", {},
    row.map((h) => el("td", {}, el("button", { type: "button", class: "house", "data-house": h, click: () => pressed(h) }))))));
}

const button = (h) => $("board").querySelector(`[data-house="${h}"]`);

// drawBoard shows seeds, stores and what is known of the houses.
function drawBoard(houses = shot().houses, stores = shot().stores, lately = -1) {
  const settled = lately < 0 && houses === shot().houses;
  const legal = new Map(settled && atEnd() ? state.legal.map((m) => [m.house, m]) : []);
  const last = settled && shown > 0 ? state.line[shown - 1].house : -1;
  const best = Math.max(...[...values.values()].map((v) => v.score));
  $("board").classList.toggle("valued", analysing());
  for (let h = 0; h < 12; h++) {
    const b = button(h), value = settled ? values.get(h) : undefined;
    const playable = legal.has(h) && myTurn();
    const kind = ["house", playable && "playable", h === last && "last", h === lately && "lately", h === hinted && settled && "hinted", value && value.score === best && "best"];
    b.className = kind.filter(Boolean).join(" ");
    b.setAttribute("aria-disabled", String(!playable));
    b.setAttribute("aria-label", `${nameOf(h)} ${houses[h]}${value ? " " + value.text : ""}, ${sides[h > 5 ? 1 : 0]}'s house` + (playable ? ", playable" : "") + (h === last ? ", played last" : "") + (h === hinted && settled ? ", the hint" : ""));
    const drawn = b.dataset.seeds === String(houses[h]) ? b.querySelector("svg") : null;
    b.dataset.seeds = houses[h];
    b.replaceChildren(drawn ?? house(houses[h]), el("span", { class: "name" }, nameOf(h) + " ", el("b", {}, String(houses[h]))), " ",
      value ? el("span", { class: "value" }, value.text) : el("span", { class: "value empty" }));
  }
  drawStore($("store-top"), turned ? 0 : 1, stores);
  drawStore($("store-bottom"), turned ? 1 : 0, stores);
}

function drawStore(place, side, stores) {
  const who = level === null ? "" : !level ? "" : side === person ? "you" : level;
  const toMove = turnAt(shown) === side && !state.over && !ended;
  place.className = "store" + (toMove ? " mover" : "");
  place.replaceChildren(
    el("span", { class: "who" }, sides[side], who ? el("small", {}, " " + who) : null),
    strip(stores[side]),
    clock.on ? el("span", { class: "clock" }, clock.text(side)) : "",
    el("span", { class: "kept" }, el("span", { class: "hidden" }, `${sides[side]}'s store: `), String(stores[side])));
}

// ---- the game

// show renders everything that hangs on the state.
function show() {
  hinted = -1;
  if (!atEnd()) values.clear();
  drawBoard();
  drawMoves();
  drawKnown();
  const p = atEnd();
  $("first").disabled = $("back").disabled = shown === 0;
  $("forward").disabled = $("last").disabled = p;
  $("undo").disabled = state.line.length === 0;
  $("hint").disabled = !myTurn();
  $("resign").disabled = state.over || !!ended || !level;
  $("review").disabled = state.line.length === 0;
  const link = new URLSearchParams(query());
  history.replaceState(null, "", "?" + shareable());
  link.set(sides[person].toLowerCase(), level ? "you" : "");
  link.set(sides[1 - person].toLowerCase(), level ? `Kroo ${level}` : "");
  if (ended) link.set("ended", ended.winner === 0 ? "1-0" : "0-1");
  $("download").href = "/api/export?" + link;
  analyseAgain();
}

// shareable is the shortest address of the game.
function shareable() {
  const q = new URLSearchParams();
  if (state.rules !== $("rules").options[0].value) q.set("rules", state.rules);
  if (state.from.board !== "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") q.set("from", state.from.board);
  if (state.moves) q.set("moves", state.moves);
  return q.toString();
}

const say = (text) => { $("status").textContent = text; };

function fault(text) {
  $("fault").hidden = !text;
  $("fault").textContent = text ?? "";
}

// told is the last move in words, and whose turn it is.
function told() {
  const last = state.line.at(-1), words = [];
  if (last) words.push(`${level && last.side !== person ? "The engine" : sides[last.side]} plays ${last.move}${last.gain ? ` and captures ${last.gain}` : ""}.`);
  if (ended) words.push(`${sides[ended.winner]} wins: ${ended.why}.`);
  else if (state.over) words.push(`The game is over (${state.reason}): ${state.outcome}.`);
  else if (!level) words.push(`${sides[state.turn]} to move.`);
  else words.push(state.turn === person ? "Your move." : "The engine thinks …");
  return words.join(" ");
}

// interrupt gives up what is under way.
function interrupt() {
  job.abort();
  job = new AbortController();
  $("over-board").replaceChildren();
}

// pressed is a house that was clicked.
function pressed(h) {
  if (!atEnd()) { step(state.line.length); return; }
  const move = state.legal.find((m) => m.house === h);
  if (!myTurn()) say(state.over || ended ? told() : "It is the engine's turn.");
  else if (!move) say(`${nameOf(h)} cannot be sown: ${state.legal.map((m) => m.move).join(", ")} can.`);
  else make(move);
}

// make plays a move and has the engine answer.
async function make(move) {
  interrupt();
  const { signal } = job, side = state.turn, before = shot();
  const next = get("/api/game", { ...query(), moves: state.moves + move.move }, signal);
  next.catch(() => {}); // it is awaited below
  stopAnalysis?.();
  values.clear();
  review = null;
  const wasOn = clock.side;
  clock.pause();
  try {
    if ($("animate").checked && !still.matches) await sow(move, side, before, drawBoard, button, $("over-board"), signal);
    state = await next;
  } catch (e) {
    if (!signal.aborted) { fault(e.message); show(); }
    return;
  }
  if (signal.aborted) return;
  fault("");
  shown = state.line.length;
  clock.moved(side, wasOn);
  show();
  say(told());
  reply();
}

// reply has the engine move if it is its turn.
async function reply() {
  if (!level || state.over || ended || state.turn === person) return;
  const { signal } = job;
  try {
    const t = await get("/api/answer", { ...query(), level }, signal);
    const move = state.legal.find((m) => m.move === t.move);
    if (!signal.aborted && !ended) await make(move);
  } catch (e) {
    if (!signal.aborted) fault(`The engine does not answer: ${e.message}`);
  }
}

// open shows another game.
async function open(q) {
  interrupt();
  const { signal } = job;
  try {
    const next = await get("/api/game", q, signal);
    state = next;
    shown = state.line.length;
    review = null;
    ended = null;
    values.clear();
    fault("");
    show();
    return true;
  } catch (e) {
    if (!signal.aborted) fault(e.message);
    return false;
  }
}

function step(to) {
  interrupt();
  shown = Math.max(0, Math.min(state.line.length, to));
  show();
  if (!atEnd()) say(`Move ${shown} of ${state.line.length}.`);
  else { say(told()); reply(); }
}

async function undo() {
  const plies = level && state.turn === person && !ended ? 2 : 1;
  if (ended) { ended = null; show(); say(told()); return; }
  const left = Math.max(0, state.line.length - plies);
  if (await open({ ...query(), moves: state.line.slice(0, left).map((m) => m.move).join("") })) { say("Taken back. " + told()); reply(); }
}

async function hint() {
  if (!myTurn()) return;
  const { signal } = job;
  say("Looking for a hint …");
  try {
    const h = await get("/api/hint", query(), signal);
    if (signal.aborted || !myTurn()) return;
    hinted = state.legal.find((m) => m.move === h.search.move)?.house ?? -1;
    drawBoard();
    say(`Hint: ${h.search.move} (${h.search.score}, depth ${h.search.depth})` + (h.book ? `; the book plays ${h.book.move}.` : "."));
  } catch (e) {
    if (!signal.aborted) fault(e.message);
  }
}

$("new").addEventListener("submit", async (e) => {
  e.preventDefault();
  level = $("level").value;
  person = Number($("person").value);
  turned = level !== "" && person === 1;
  layOut();
  clock.start($("clock").value);
  if (await open({ rules: $("rules").value })) { say(told()); reply(); }
});

function finish(winner, why) {
  interrupt();
  ended = { winner, why };
  clock.pause();
  show();
  say(told());
}

// ---- the clock: of the browser, for who plays here

const clock = {
  on: false, left: [0, 0], more: 0, side: -1, since: 0,
  start(text) {
    const [seconds, more] = text.split("+").map(Number);
    this.on = text !== "";
    this.left = [seconds * 1000, seconds * 1000];
    this.more = more * 1000;
    this.side = -1; // it runs from the first move on
  },
  now(side) { return Math.max(0, this.left[side] - (side === this.side ? performance.now() - this.since : 0)); },
  pause() {
    if (this.side >= 0) this.left[this.side] = this.now(this.side);
    this.side = -1;
  },
  moved(side, running) {
    if (!this.on || state.over) return;
    if (running === side) this.left[side] += this.more;
    this.side = 1 - side;
    this.since = performance.now();
  },
  text(side) {
    const s = Math.ceil(this.now(side) / 1000);
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  },
};
setInterval(() => {
  if (!clock.on || clock.side < 0) return;
  const side = clock.side;
  for (const place of document.querySelectorAll(".store .clock")) {
    const mine = place.parentElement.id === (turned ? "store-top" : "store-bottom") ? 0 : 1;
    place.textContent = clock.text(mine);
  }
  if (clock.now(side) === 0) finish(1 - side, `${sides[side]}'s time is up`);
}, 200);

// ---- the moves, and what they were worth

const signs = { inaccuracy: "?!", mistake: "?", blunder: "??" };

function drawMoves() {
  $("no-moves").hidden = state.line.length > 0;
  $("moves").replaceChildren(...state.line.map((m, i) => {
    const found = review?.[i];
    const name = m.move + (m.gain ? `+${m.gain}` : "") + (signs[found?.mark] ?? "");
    const words = [`${i + 1} ${name}`, sides[m.side], m.gain ? `captures ${m.gain}` : "", found?.book ? "of the book" : "", found?.mark ?? ""].filter(Boolean);
    return el("li", {}, el("button", {
      type: "button", class: ["ply", m.side ? "north" : "south", found?.mark].filter(Boolean).join(" "),
      "aria-label": words.join(", "), "aria-current": i === shown - 1 ? "step" : null, click: () => step(i + 1),
    }, el("small", {}, String(i + 1)), ` ${name}`, found?.book ? el("span", { class: "of-book", "aria-hidden": "true" }, "▪") : null));
  }));
  const current = $("moves").querySelector("[aria-current]");
  if (current) $("moves").scrollTop = Math.max(0, current.offsetTop - $("moves").clientHeight / 2);
  drawVerdict();
}

// drawVerdict tells of the move that led to what is shown.
function drawVerdict() {
  const m = review?.[shown - 1];
  $("verdict").hidden = !m;
  if (!m) return;
  $("verdict").textContent = `${m.ply}. ${m.side} ${m.move} (${scoreText(m.score, m)})` + (m.best !== m.move ? `; best was ${m.best} (${scoreText(m.best_score, m)})` : ", the best move") + (m.mark ? `: ${m.mark}` : "") + (m.book ? "; of the book" : "") + ".";
}

const scoreText = (score) => (Math.abs(score) > 10000 ? (score > 0 ? "wins" : "loses") : (score > 0 ? "+" : "") + (score / 100).toFixed(2));

function startReview() {
  stopReview?.();
  $("review").disabled = true;
  $("graph").hidden = false;
  const bar = el("progress", { max: state.line.length, value: 0, "aria-label": "Review" });
  $("graph").replaceChildren(bar);
  const of = state;
  stopReview = listen("/api/review", query(), {
    progress: (p) => { bar.value = p.done; },
    done: (moves) => {
      if (of.moves !== state.moves) return;
      review = moves;
      $("review").disabled = false;
      drawMoves();
      drawGraph();
      const bad = moves.filter((m) => m.mark === "mistake" || m.mark === "blunder").length;
      say(`Reviewed ${moves.length} moves: ${bad} mistakes and blunders, ${moves.filter((m) => m.book).length} moves of the book.`);
    },
    failed: (f) => { $("review").disabled = false; $("graph").hidden = true; fault(f.error); },
  });
}

// drawGraph draws the score after every move, in seeds for South.
function drawGraph() {
  if (!review) { $("graph").hidden = true; return; }
  const width = 640, height = 150, left = 30, bottom = 18, most = 12;
  const value = (m) => Math.max(-most, Math.min(most, (m.side === "South" ? 1 : -1) * m.score / 100));
  const x = (i) => left + (width - left - 8) * (review.length < 2 ? 0.5 : i / (review.length - 1));
  const y = (v) => 6 + (height - bottom - 6) * (most - v) / (2 * most);
  const points = review.map((m, i) => `${x(i).toFixed(1)},${y(value(m)).toFixed(1)}`);
  const parts = [];
  for (const v of [-12, -6, 0, 6, 12]) {
    parts.push(svg("line", { class: v ? "grid" : "zero", x1: left, x2: width - 8, y1: y(v), y2: y(v) }));
    parts.push(svg("text", { class: "tick", x: left - 5, y: y(v) + 4, "text-anchor": "end" }, (v > 0 ? "+" : "") + v));
  }
  parts.push(svg("polygon", { class: "area", points: `${x(0)},${y(0)} ${points.join(" ")} ${x(review.length - 1)},${y(0)}` }));
  parts.push(svg("polyline", { class: "curve", points: points.join(" ") }));
  review.forEach((m, i) => {
    const title = svg("title", {}, `${m.ply}. ${m.side} ${m.move} ${m.mark ?? ""}${m.book ? " (book)" : ""}`);
    if (m.book) parts.push(svg("rect", { class: "book-mark", x: x(i) - 3, y: height - bottom + 2, width: 6, height: 6 }, title));
    if (signs[m.mark]) parts.push(svg("circle", { class: "mark " + m.mark, cx: x(i), cy: y(value(m)), r: m.mark === "blunder" ? 6 : 4.5, click: () => step(i + 1) }, title));
  });
  const label = `Score after each of ${review.length} moves, in seeds for South: from ${value(review[0]).toFixed(1)} to ${value(review.at(-1)).toFixed(1)}`;
  $("graph").hidden = false;
  $("graph").replaceChildren(
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...parts),
    el("p", { class: "legend" }, el("span", { class: "key inaccuracy" }), "inaccuracy ?! ", el("span", { class: "key mistake" }), "mistake ? ", el("span", { class: "key blunder" }), "blunder ?? ", el("span", { class: "key of-book" }), "book. Seeds, for South."));
}

// ---- analysis

const analysing = () => $("analyse").getAttribute("aria-pressed") === "true";

function analyseAgain() {
  stopAnalysis?.();
  stopAnalysis = null;
  if (!review) $("graph").hidden = true;
  if (!analysing()) return;
  $("lines").replaceChildren();
  for (const id of ["score", "depth", "nodes", "rate"]) $(id).textContent = "–";
  if (atEnd() && state.over) return;
  const moves = state.line.slice(0, shown).map((m) => m.move).join(""), turn = turnAt(shown);
  values.clear();
  const found = (i) => {
    $("score").textContent = i.text;
    $("depth").textContent = i.depth;
    $("nodes").textContent = count(i.nodes);
    $("rate").textContent = i.seconds > 0.05 ? count(i.rate) : "–";
    drawChances(i.wdl, turn);
    $("lines").replaceChildren(...i.lines.map((l) => el("tr", {}, el("th", { scope: "row" }, l.move), el("td", { class: "number" }, l.text), el("td", { class: "pv" }, l.pv))));
    values = new Map(i.lines.map((l) => ["ABCDEFabcdef".indexOf(l.move), l]));
    if ($("over-board").childElementCount === 0) drawBoard();
  };
  stopAnalysis = listen("/api/analyse", { ...query(), moves }, { found, done: found, failed: (f) => fault(f.error) });
}

function drawChances([win, draw, loss], turn) {
  const names = [`${sides[turn]} wins`, "a draw", `${sides[1 - turn]} wins`];
  $("chances").setAttribute("aria-label", [win, draw, loss].map((c, i) => `${names[i]}: ${(c / 10).toFixed(1)} %`).join(", "));
  $("chances").replaceChildren(...[win, draw, loss].map((c, i) => {
    const part = el("span", { class: ["win", "draw", "loss"][i] }, c >= 90 ? `${Math.round(c / 10)} %` : "");
    part.style.flexGrow = c;
    return part;
  }));
}

// drawKnown tells what the book and the endgame tables know of the last position.
function drawKnown() {
  const parts = [];
  if (atEnd() && state.book?.length) {
    const best = Math.max(...state.book.map((m) => m.points));
    parts.push(el("h3", {}, "Book"), el("p", { class: "chips" }, state.book.map((m) => el("span", { class: m.points === best ? "chip best" : "chip" }, el("b", {}, m.move), ` ${m.points > 0 ? "+" : ""}${m.points}`))), el("p", { class: "note" }, "Points for the side to move: 42 are a seed."));
  }
  if (atEnd() && state.table) {
    const t = state.table, between = (a, b) => (a === b ? signed(a) : `${signed(a)} to ${signed(b)}`);
    parts.push(el("h3", {}, "Endgame tables"),
      el("p", {}, `With best play ${sides[state.turn]} ends with ${between(t.final_low, t.final_high)} seeds against the other side ${t.exact ? "(exact)" : "(bounds)"}.`),
      el("p", { class: "chips" }, t.moves.map((m) => el("span", { class: "chip" }, el("b", {}, m.move), ` ${between(m.low + t.final_low - t.low, m.high + t.final_low - t.low)}`))));
    if (t.line) parts.push(el("p", { class: "note" }, `Best line: ${t.line}`));
  }
  $("known").hidden = parts.length === 0;
  $("known").replaceChildren(...parts);
}

const signed = (n) => (n > 0 ? `+${n}` : String(n));

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

async function load(text) {
  try {
    const g = await post("/api/import", { rules: $("rules").value }, text);
    level = level === null ? null : "";
    clock.on = false;
    if (await open({ rules: g.rules, from: g.from, moves: g.moves })) {
      say(told());
      $("shared").textContent = g.games > 1 ? `The first of ${g.games} games is loaded.` : "Loaded.";
    }
  } catch (e) {
    $("shared").textContent = e.message;
  }
}

// ---- what buttons and keys do

$("first").addEventListener("click", () => step(0));
$("back").addEventListener("click", () => step(shown - 1));
$("forward").addEventListener("click", () => step(shown + 1));
$("last").addEventListener("click", () => step(state.line.length));
$("undo").addEventListener("click", undo);
$("hint").addEventListener("click", hint);
$("flip").addEventListener("click", () => { turned = !turned; layOut(); drawBoard(); });
$("resign").addEventListener("click", () => finish(1 - person, `${sides[person]} resigns`));
$("review").addEventListener("click", startReview);
$("analyse").addEventListener("click", toggleAnalysis);
$("copy-link").addEventListener("click", () => copy(location.href, "The link"));
$("copy-board").addEventListener("click", () => copy(shot().board, "The board"));
$("load").addEventListener("click", () => load($("text").value));
$("file").addEventListener("change", async (e) => { if (e.target.files[0]) load(await e.target.files[0].text()); e.target.value = ""; });

function toggleAnalysis() {
  const on = !analysing();
  $("analyse").setAttribute("aria-pressed", String(on));
  $("analysis").hidden = !on;
  values.clear();
  analyseAgain();
  drawBoard();
}

document.addEventListener("keydown", (e) => {
  if (!$("keys").checked || e.ctrlKey || e.altKey || e.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const key = e.key.toLowerCase(), at = "abcdef".indexOf(key);
  if (e.key.length === 1 && at >= 0) pressed(at + 6 * turnAt(shown));
  else if (e.key === "ArrowLeft") step(shown - 1);
  else if (e.key === "ArrowRight") step(shown + 1);
  else if (key === "u" && !$("undo").disabled) undo();
  else if (key === "h") hint();
  else if (key === "v") toggleAnalysis();
  else return;
  e.preventDefault();
});

// A page begins with the game of its address, a new one against the level that was
// played last.
remembered(["level", "person", "clock", "animate", "keys"]);
if (still.matches) $("animate").checked = false;
$("rules").value = state.rules;
level = state.line.length || shareable().includes("from=") ? "" : $("level").value;
person = Number($("person").value);
turned = level !== "" && person === 1;
clock.start(level ? $("clock").value : "");
layOut();
show();
say(told());
if (asksAnalysis) toggleAnalysis();
performance.mark("board");
document.documentElement.dataset.ready = "true";
reply();
