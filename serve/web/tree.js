// The lines of a game: a tree of moves with comments and glyphs. The first child of a node is its main
// move, the others start variations. The root is the first position and has the tags of the record.

const node = (move, up, gain = 0) => ({ move, up, gain, said: "", glyph: 0, next: [] });

// glyphs are the annotation signs $1 to $6 of records, with their meanings.
export const glyphs = [["", ""], ["!", "good"], ["?", "bad"], ["!!", "very good"], ["??", "very bad"], ["!?", "interesting"], ["?!", "dubious"]];

const tag = String.raw`\[(\w+) "((?:[^"\\]|\\.)*)"\]`;

// child returns the node of a move after another, and adds it if missing.
function child(at, move, gain) {
  let found = at.next.find((n) => n.move === move);
  if (!found) at.next.push(found = node(move, at));
  if (gain) found.gain = Number(gain);
  return found;
}

// parseTree parses lines: tags, and moves with captured seeds, glyphs, comments in braces, and variations
// in parentheses after the move that they replace.
export function parseTree(text) {
  const root = node("", null), left = [], head = new RegExp(`^(?:${tag})*`).exec(text)[0];
  root.tags = [...head.matchAll(new RegExp(tag, "g"))].map(([text, name, value]) => ({ text, name, value: value.replace(/\\(.)/g, "$1") }));
  let at = root;
  for (const [token, said, move, gain, glyph] of text.slice(head.length).matchAll(/\{([^}]*)\}|([A-Fa-f])(?:\+(\d+))?|\$(\d+)|[()]/g)) {
    if (said !== undefined) at.said = [at.said, said].filter(Boolean).join(" ");
    else if (glyph) at.glyph = Number(glyph);
    else if (token === "(") {
      left.push(at);
      at = at.up;
    } else if (token === ")") at = left.pop();
    else at = child(at, move, gain);
  }
  root.main = mainFrom(root);
  return root;
}

// tagsOf returns the tags, without the result if the main line has changed.
export const tagsOf = (root) => root.tags.filter((t) => !/^(Result|Termination)$/.test(t.name) || root.main === mainFrom(root));

const comment = (at) => (at.glyph ? `$${at.glyph}` : "") + (at.said ? `{${at.said}}` : "");

// treeText returns the text of the lines after a node, with tags and comment for the root.
export function treeText(at) {
  let text = at.up ? "" : tagsOf(at).map((t) => t.text).join("") + comment(at);
  for (; at.next.length; at = at.next[0]) {
    const [main, ...others] = at.next;
    text += main.move + comment(main) + others.map((o) => `(${o.move}${comment(o)}${treeText(o)})`).join("");
  }
  return text;
}

// addLine adds a line to a tree and returns its nodes.
export function addLine(root, line) {
  let at = root;
  return line.map((m) => (at = child(at, m.move, m.gain)));
}

// movesTo returns the moves up to a node.
export function movesTo(at) {
  let text = "";
  for (; at.up; at = at.up) text = at.move + text;
  return text;
}

// mainFrom returns the moves of the main line after a node.
export function mainFrom(at) {
  let text = "";
  for (; at.next.length; at = at.next[0]) text += at.next[0].move;
  return text;
}

// branchOf returns the first move of the variation of a node; null in the main line.
export function branchOf(at) {
  for (; at?.up; at = at.up) if (at.up.next[0] !== at) return at;
  return null;
}

// promote makes the line to a node the main one.
export function promote(at) {
  for (; at.up; at = at.up) at.up.next = [at, ...at.up.next.filter((n) => n !== at)];
}

// cut removes a node and all that follows it.
export const cut = (at) => { at.up.next = at.up.next.filter((n) => n !== at); };

// sibling returns the sibling of a node at a distance.
export function sibling(at, by) {
  const all = at?.up?.next ?? [];
  return all[all.indexOf(at) + by];
}
