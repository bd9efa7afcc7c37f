// The lines of a game: a tree of moves, with what is said of them. The first move that
// follows a position is its main one, the others begin variations. The root is the first
// position, and has the tags of the game's record.

const node = (move, up, gain = 0) => ({ move, up, gain, said: "", glyph: 0, next: [] });

// glyphs are the signs that an annotator gives a move, as records number them from 1 on, and what
// they say.
export const glyphs = [["", ""], ["!", "good"], ["?", "bad"], ["!!", "very good"], ["??", "very bad"], ["!?", "interesting"], ["?!", "dubious"]];

const tag = String.raw`\[(\w+) "((?:[^"\\]|\\.)*)"\]`;

// child is the move that follows a node, made if it is not there.
function child(at, move, gain) {
  let found = at.next.find((n) => n.move === move);
  if (!found) at.next.push(found = node(move, at));
  if (gain) found.gain = Number(gain);
  return found;
}

// planted reads the text of lines: tags, and moves with what they capture, glyphs, comments in
// braces, and variations in parentheses behind the move that they replace.
export function planted(text) {
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

// tagsOf are the tags that still hold: not the result of a main line that goes another way.
export const tagsOf = (root) => root.tags.filter((t) => !/^(Result|Termination)$/.test(t.name) || root.main === mainFrom(root));

const comment = (at) => (at.glyph ? `$${at.glyph}` : "") + (at.said ? `{${at.said}}` : "");

// written is the text of the lines that follow a node, all of it for the root.
export function written(at) {
  let text = at.up ? "" : tagsOf(at).map((t) => t.text).join("") + comment(at);
  for (; at.next.length; at = at.next[0]) {
    const [main, ...others] = at.next;
    text += main.move + comment(main) + others.map((o) => `(${o.move}${comment(o)}${written(o)})`).join("");
  }
  return text;
}

// grown adds a line to a tree, and is its nodes.
export function grown(root, line) {
  let at = root;
  return line.map((m) => (at = child(at, m.move, m.gain)));
}

// reached is the moves to a node.
export function reached(at) {
  let text = "";
  for (; at.up; at = at.up) text = at.move + text;
  return text;
}

// mainFrom is the moves of the main line that follow a node.
export function mainFrom(at) {
  let text = "";
  for (; at.next.length; at = at.next[0]) text += at.next[0].move;
  return text;
}

// branchOf is the move that begins the variation of a node, null in the main line.
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

// beside is the move that stands so many places after a node among those of its position.
export function beside(at, by) {
  const all = at?.up?.next ?? [];
  return all[all.indexOf(at) + by];
}
