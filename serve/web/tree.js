// The lines of a game: a tree of moves. The first move that follows a position is its main
// one, the others begin variations. The root is the first position.

const node = (move, up, gain = 0) => ({ move, up, gain, next: [] });

// child is the move that follows a node, made if it is not there.
function child(at, move, gain) {
  let found = at.next.find((n) => n.move === move);
  if (!found) at.next.push(found = node(move, at));
  if (gain) found.gain = Number(gain);
  return found;
}

// planted reads the text of lines: moves, with what they capture, and variations in
// parentheses behind the move that they replace.
export function planted(text) {
  const root = node("", null), left = [];
  let at = root;
  for (const [token, move, gain] of text.matchAll(/([A-Fa-f])(?:\+(\d+))?|[()]/g)) {
    if (token === "(") {
      left.push(at);
      at = at.up;
    } else if (token === ")") at = left.pop();
    else at = child(at, move, gain);
  }
  return root;
}

// written is the text of the lines that follow a node.
export function written(at) {
  let text = "";
  for (; at.next.length; at = at.next[0]) {
    const [main, ...others] = at.next;
    text += main.move + others.map((o) => `(${o.move}${written(o)})`).join("");
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
