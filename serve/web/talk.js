// Requests to the server, elements, and numbers as text.

// Lost is the error if the server cannot be reached or stops.
class Lost extends Error {
  constructor() { super("No connection to train serve: try again when it is running."); }
}

let notice = null; // while there is no connection

// connected shows whether the server answers.
function connected(there) {
  if (there) notice?.remove();
  else if (!notice) $("main").prepend(notice = el("p", { class: "fault", id: "offline", role: "alert" }, "No connection to train serve. Is it running?"));
  if (there) notice = null;
}

async function request(path, query, options) {
  try {
    const answer = await fetch(path + "?" + new URLSearchParams(query), options);
    connected(true);
    return answer;
  } catch (e) {
    throw e instanceof TypeError ? new Lost() : e;
  }
}

// retry repeats a request until the server answers or the signal aborts it.
async function retry(ask, signal) {
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    try {
      return await ask();
    } catch (e) {
      if (!(e instanceof Lost) || signal?.aborted) throw e;
      connected(false);
      await new Promise((done) => setTimeout(done, pause));
      if (signal?.aborted) throw e;
    }
  }
}

// get requests a value. It throws an error with the server's text.
export const get = (path, query = {}, signal) => retry(async () => valueOf(await request(path, query, { signal })), signal);

// post sends a text. It is not repeated if the server cannot be reached: the user decides.
export async function post(path, query, text) {
  try {
    return await valueOf(await request(path, query, { method: "POST", body: text }));
  } catch (e) {
    if (e instanceof Lost) get("/static/icon.svg").catch(() => {}); // until the server is there
    throw e;
  }
}

async function valueOf(answer) {
  const value = await answer.json().catch((e) => {
    if (e instanceof TypeError) throw new Lost(); // in the middle of the answer
    return { error: `the server responds with status ${answer.status}` };
  });
  if (value?.stopping) throw new Lost();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

// listen follows a stream of events and calls handlers[name](value). The returned function ends it. A
// stream ends with "done" or "failed", which is also called for errors. If the connection is lost or
// silent, handlers.lost() is called or, without it, the stream restarts with handlers.begin().
export function listen(path, query, handlers) {
  const control = new AbortController(), { signal } = control;
  follow(path, query, handlers, signal).catch((e) => {
    if (!signal.aborted) handlers.failed?.({ error: e.message });
    control.abort();
  });
  return () => control.abort();
}

async function follow(path, query, handlers, signal) {
  const once = async () => {
    const answer = await request(path, query, { signal });
    if (!answer.ok) await valueOf(answer);
    handlers.begin?.();
    await dispatch(answer.body, handlers, signal);
  };
  if (!handlers.lost) return retry(once, signal);
  try {
    await once();
  } catch (e) {
    if (!(e instanceof Lost) || signal.aborted) throw e;
    connected(false);
    handlers.lost();
  }
}

// silence is the longest time without data: the server sends some every ten seconds.
const silence = 60_000;

// within is a promise that fails after a time.
function within(ms, promise) {
  let timer;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Lost()), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the server's answer is malformed");
  }
}

// dispatch calls the handlers of the events in a stream.
async function dispatch(body, handlers, signal) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const next = () => reader.read().catch((e) => { throw e instanceof TypeError ? new Lost() : e; });
  let text = "";
  for (;;) {
    const { value, done } = await within(silence, next());
    if (done) throw new Lost();
    text += value;
    for (let at; (at = text.indexOf("\n\n")) >= 0; text = text.slice(at + 2)) {
      const event = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, at));
      if (!event || signal.aborted) continue;
      const news = parse(event[2]);
      if (event[1] === "failed" && news.stopping) throw new Lost();
      handlers[event[1]]?.(news);
      if (event[1] === "done" || event[1] === "failed") return;
    }
  }
}

// typing reports whether a key event is for a field, not for the page.
export const typing = (e) => e.target.matches("select, textarea, input:not([type=checkbox])");

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

// redraw replaces the contents of an element. If the focus is on a control in it, it stays: on the control
// with the same name or, without one, on the control at the same place.
export function redraw(place, ...children) {
  const controls = () => [...place.querySelectorAll("button, a")];
  const named = (e) => e.ariaLabel ?? e.textContent;
  const held = document.activeElement, at = controls().indexOf(held);
  place.replaceChildren(...children);
  if (at < 0) return;
  const now = controls();
  (now.find((e) => named(e) === named(held)) ?? now[at] ?? now.at(-1) ?? place).focus({ preventScroll: true });
}

// $ is the element with an id.
export const $ = (id) => document.getElementById(id);

// fault shows an error or its text; without one it hides the message.
export function fault(e) {
  const text = e?.message ?? e ?? "";
  $("fault").hidden = !text;
  $("fault").textContent = text;
}

// fixed formats a number with a given number of decimals, or as it is.
export const fixed = (n, digits) => (digits === undefined ? String(n) : n.toFixed(digits)).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

// signed is fixed with a sign.
export const signed = (n, digits) => {
  const text = fixed(n, digits);
  return n > 0 && /[1-9]/.test(text) ? "+" + text : text;
};

// perPoint is a point in seeds: in files and from the server, a won game is 1000 points, on pages 24
// seeds.
export const perPoint = 24 / 1000;

// seeds formats points as seeds.
export const seeds = (points, digits = 2) => signed(points * perPoint, digits);

// scoreText formats a score in hundredths of a seed, or a proven result.
export const scoreText = (score) => (Math.abs(score) > 10000 ? (score > 0 ? "wins" : "loses") : signed(score / 100, 2));

// worth formats the value of a graded move: a proven result, a chance or, without a calibration, a
// score.
export const worth = (m, score, chance) => (m.calibrated && Math.abs(score) <= 10000 ? `${Math.round(chance)} %` : scoreText(score));

// count formats a number with separated thousands.
export const count = (n) => fixed(Math.round(n).toLocaleString("en").replaceAll(",", "\u202f"));

// remembered stores the values of fields for the next visit.
export function remembered(ids) {
  for (const id of ids) {
    const field = $(id), key = "kroo-" + id;
    const property = field.type === "checkbox" ? "checked" : "value";
    try {
      const kept = localStorage.getItem(key);
      if (kept !== null) field[property] = property === "checked" ? kept === "true" : kept;
      if (field.selectedIndex === -1) field.selectedIndex = 0;
      field.addEventListener("change", () => localStorage.setItem(key, field[property]));
    } catch { /* storage is disabled */ }
  }
}
