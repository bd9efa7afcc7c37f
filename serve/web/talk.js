// How the pages talk to the server, and make elements.

// get asks for a value. A refusal becomes an error with the server's words.
export async function get(path, query = {}, signal) {
  const answer = await fetch(path + "?" + new URLSearchParams(query), { signal });
  return valueOf(answer);
}

// post hands in a text.
export async function post(path, query, text) {
  const answer = await fetch(path + "?" + new URLSearchParams(query), { method: "POST", body: text });
  return valueOf(answer);
}

async function valueOf(answer) {
  const value = await answer.json().catch(() => ({ error: `the server answers ${answer.status}` }));
  if (!answer.ok) throw new Error(value.error);
  return value;
}

// listen follows a stream of events: handlers[name](value). The returned function ends
// it. A stream ends with "done" or "failed"; one that is lost, silent or not understood
// has failed.
export function listen(path, query, handlers) {
  const control = new AbortController();
  follow(path, query, handlers, control.signal).catch((e) => {
    if (!control.signal.aborted) handlers.failed?.({ error: e.message });
    control.abort();
  });
  return () => control.abort();
}

// silence is how long a stream may say nothing: the server gives a sign every ten seconds.
const silence = 60_000;

// within is a promise that fails when it takes too long.
function within(ms, promise) {
  let timer;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error("the server does not answer any more")), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("what the server answers cannot be read");
  }
}

async function follow(path, query, handlers, signal) {
  const answer = await fetch(path + "?" + new URLSearchParams(query), { signal });
  if (!answer.ok) await valueOf(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "", ended = false;
  for (;;) {
    const { value, done } = await within(silence, reader.read());
    if (done) break;
    text += value;
    for (let at; (at = text.indexOf("\n\n")) >= 0; text = text.slice(at + 2)) {
      const event = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, at));
      if (!event || signal.aborted) continue;
      ended ||= event[1] === "done" || event[1] === "failed";
      handlers[event[1]]?.(parsed(event[2]));
    }
  }
  if (!ended && !signal.aborted) throw new Error("the connection was lost");
}

// el makes an element. Attributes that are functions are handlers of events.
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

// svg makes an element of a drawing.
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(e, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(name, value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.flat().filter((c) => c != null));
  return e;
}

// $ is the element with an id.
export const $ = (id) => document.getElementById(id);

// fault shows what is wrong, an error or its text; nothing hides it.
export function fault(e) {
  const text = e?.message ?? e ?? "";
  $("fault").hidden = !text;
  $("fault").textContent = text;
}

// fixed writes a number with so many digits behind the point, or those that it has.
export const fixed = (n, digits) => (digits === undefined ? String(n) : n.toFixed(digits)).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

// signed is fixed with a sign.
export const signed = (n, digits) => {
  const text = fixed(n, digits);
  return n > 0 && /[1-9]/.test(text) ? "+" + text : text;
};

// perPoint is a point in seeds: files and the server count a won game, 24 seeds, as 1000
// points. People read seeds.
export const perPoint = 24 / 1000;

// seeds writes points as seeds.
export const seeds = (points, digits = 2) => signed(points * perPoint, digits);

// scoreText writes a score, in hundredths of a seed, or what is certain.
export const scoreText = (score) => (Math.abs(score) > 10000 ? (score > 0 ? "wins" : "loses") : signed(score / 100, 2));

// count writes a number with its thousands apart.
export const count = (n) => fixed(Math.round(n).toLocaleString("en").replaceAll(",", "\u202f"));

// pairs lists names and their values; those without a value are left out. Of a long hash
// so much is shown as of the hashes of weights, and all of it when asked for.
export const pairs = (list) => el("dl", { class: "pairs" }, list.filter(([, v]) => v).flatMap(([k, v]) => {
  const text = String(v), cut = text.replace(/\b([0-9a-f]{16})[0-9a-f]{48}\b/g, "$1…");
  return [el("dt", {}, k), el("dd", { title: cut === text ? null : text }, cut)];
}));

// remembered keeps the choices of a form's fields for the next visit.
export function remembered(ids) {
  for (const id of ids) {
    const field = $(id), key = "kroo-" + id;
    const property = field.type === "checkbox" ? "checked" : "value";
    try {
      const kept = localStorage.getItem(key);
      if (kept !== null) field[property] = property === "checked" ? kept === "true" : kept;
      if (field.selectedIndex === -1) field.selectedIndex = 0;
      field.addEventListener("change", () => localStorage.setItem(key, field[property]));
    } catch { /* a browser that keeps nothing */ }
  }
}
