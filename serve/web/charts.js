// Charts of the board: the chance after each move, the score by depth, and who is ahead.

import { el, fixed, signed, svg } from "./talk.js";
import { mark, sides, sign } from "./draw.js";

// panel is a chart with nothing but lines at ticks: x and y convert numbers to places.
function panel({ width, height, right, from, to, low, high, ticks, named }) {
  const left = 48, top = 12, bottom = 18; // room for "100 %" at the left, and for half a line at the top
  const x = (n) => left + (width - left - right) * (to > from ? (n - from) / (to - from) : 0.5);
  const y = (v) => top + ((height - bottom - top) * (high - v)) / (high - low);
  const text = (x, y, anchor, words, kind = "tick") => svg("text", { class: kind, x, y, "text-anchor": anchor }, words);
  const parts = ticks.flatMap((v) => [svg("line", { class: v === (low + high) / 2 ? "zero" : "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }), text(left - 5, y(v) + 4, "end", named(v))]);
  return {
    x, y, parts, text, floor: height - bottom,
    line: (kind, points) => parts.push(svg("polyline", { class: kind, points: points.map(([n, v]) => `${x(n).toFixed(1)},${y(v).toFixed(1)}`).join(" ") })),
    drawing: (label) => svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, ...parts),
  };
}

export const grades = { inaccuracy: "?!", mistake: "?", blunder: "??", checking: " …" };

// chances draws South's chance after each move or, without a calibration, South's score. moves are
// those of a review or, if reviewed is false, the analysed ones of a game; others are undefined. go
// is called with a move that is clicked; number(n) is the number of the move after n others. It returns nothing if there is too little to draw.
export function chances(moves, reviewed, width, go, number) {
  const known = moves.filter(Boolean);
  if (known.length < (reviewed ? 1 : 2)) return null;
  const calibrated = known.every((m) => m.calibrated), [low, high] = calibrated ? [0, 100] : [-12, 12];
  const value = (m) => (calibrated ? (m.side === "South" ? m.chance : 100 - m.chance) : Math.max(low, Math.min(high, (m.side === "South" ? 1 : -1) * m.score / 100)));
  const named = (v) => (calibrated ? `${Math.round(v)} %` : signed(v, Number.isInteger(v) ? 0 : 1));
  const { x, y, parts, line, drawing, floor } = panel({ width, height: 150, right: 8, from: 1, to: moves.length, low, high, ticks: [0, 1, 2, 3, 4].map((n) => low + n * (high - low) / 4), named });
  const points = known.map((m) => [m.ply, value(m)]), middle = (low + high) / 2;
  parts.push(svg("polygon", { class: "area", points: [[points[0][0], middle], ...points, [points.at(-1)[0], middle]].map(([n, v]) => `${x(n)},${y(v)}`).join(" ") }));
  line("curve", points);
  for (const m of known) {
    const at = x(m.ply), height = y(value(m));
    if (!reviewed) parts.push(svg("circle", { class: "now", cx: at, cy: height, r: 2.5 }));
    const title = svg("title", {}, `${number(m.ply - 1)} ${m.move} ${m.mark}${m.book ? " (recommended by the book)" : ""}`);
    if (m.book) parts.push(mark("book", { transform: `translate(${at - 5},${floor}) scale(.8)` }, title));
    if (m.mark in grades) parts.push(mark(m.mark, { transform: `translate(${at - 6},${height - 6})`, click: () => go(m.ply) }, title));
  }
  const what = calibrated ? "South's chance" : "South's score";
  const key = [["inaccuracy", "inaccuracy ?!"], ["mistake", "mistake ?"], ["blunder", "blunder ??"], ["book", "recommended by the book"]].flatMap(([kind, name]) => [el("span", { class: "entry" }, sign(kind), name), " "]);
  return [drawing(`${what} after each of ${known.length} moves: from ${named(points[0][1])} to ${named(points.at(-1)[1])}`),
    el("p", { class: "legend" }, reviewed ? [...key, `${what} after each move.`] : `${what} at the positions that were analysed.`)];
}

// deepening draws the score of each move by depth. It returns nothing before the second depth.
export function deepening(all) {
  const seen = all.filter((i) => i.depth > 0), last = seen.at(-1);
  if (seen.length < 2) return null;
  const clip = (s) => Math.max(-2400, Math.min(2400, s)) / 100;
  const scores = seen.flatMap((i) => i.lines.map((l) => clip(l.score)));
  const low = Math.floor(Math.min(...scores)), high = Math.max(low + 1, Math.ceil(Math.max(...scores)));
  const { x, y, parts, text, line, drawing } = panel({ width: 340, height: 130, right: 20, from: seen[0].depth, to: last.depth, low, high, ticks: [low, high], named: signed });
  for (const d of [seen[0].depth, last.depth]) parts.push(text(x(d), 127, "middle", String(d)));
  const [best, ...others] = last.lines;
  for (const l of [...others, best]) {
    line(l === best ? "deep best" : "deep", seen.flatMap((i) => { const of = i.lines.find((m) => m.move === l.move); return of ? [[i.depth, clip(of.score)]] : []; }));
  }
  parts.push(text(x(last.depth) + 5, y(clip(best.score)) + 4, "start", best.move, "tick best"));
  return [drawing(`Score of the moves from depth ${seen[0].depth} to ${last.depth}, in seeds: the best, ${best.move}, ${fixed(best.text)}`), el("p", { class: "legend" }, "Score by depth, a curve for each move.")];
}

// percents converts chances per mille to whole percentages with the sum 100. Those of South and North are
// rounded, so that equal chances stay equal; the draw is the rest.
function percents([south, , north]) {
  let first = Math.round(south / 10), last = Math.round(north / 10);
  if (first + last > 100) south > north ? first-- : last--; // both were rounded up, and there is no draw
  return [first, 100 - first - last, last];
}

// ahead fills a bar and its legend with the chances of both sides. turn is the side that wdl is for;
// turned means that North is at the bottom.
export function ahead(bar, legend, wdl, turn, turned) {
  bar.hidden = legend.hidden = !wdl;
  if (!wdl) return;
  const [south, draw, north] = turn ? wdl.toReversed() : wdl, lead = south - north;
  const [first, middle, last] = percents([south, draw, north]);
  const parts = [["south", `South wins ${first} %`, south], ["draw", `draw ${middle} %`, draw], ["north", `North wins ${last} %`, north]];
  const who = Math.abs(lead) < 20 ? "Even" : `${sides[lead > 0 ? 0 : 1]} is ahead`;
  bar.setAttribute("aria-label", `${who}: ${parts.map(([, text]) => text).join(", ")}`);
  const pieces = parts.map(([name, , c]) => {
    const part = el("span", { class: name });
    part.style.flexGrow = c;
    return part;
  });
  bar.replaceChildren(...(turned ? pieces : pieces.reverse()));
  legend.replaceChildren(el("b", {}, who), ...parts.flatMap(([name, text]) => [" ", el("span", { class: "entry" }, el("span", { class: `key ${name}` }), text)]));
}
