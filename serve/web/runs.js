// The page of runs: it begins, stops and resumes them, and follows one in work.

import { $, fault, get, listen, post } from "./talk.js";

async function act(what, run, more = {}) {
  try {
    await post("/api/run/" + what, { name: run, ...more }, "");
    location.href = "/runs?" + new URLSearchParams({ name: run });
  } catch (e) {
    fault(e.message);
  }
}

for (const b of document.querySelectorAll("button[data-act]")) b.addEventListener("click", () => act(b.dataset.act, b.dataset.run));
$("new").addEventListener("submit", (e) => {
  e.preventDefault();
  act("new", $("new-name").value, { preset: $("preset").value });
});

// The server draws the stages of a run in work. At its end the page shows all that it has found.
const live = $("live"), { name, working } = live?.dataset ?? {};

// draw shows how far the run is.
function draw(s) {
  $("status").textContent = s.said;
  live.innerHTML = s.html;
}

if (working) {
  listen("/api/run/watch", { name }, {
    state: draw,
    done: () => location.reload(),
    failed: (f) => fault(f.error),
    lost: async () => {
      if (working === "here") {
        for (const b of document.querySelectorAll("button[data-act]")) b.remove();
        fault(`The server has ended, and ${name} has stopped with it. What was finished is kept. Start the server again: this page then offers to resume.`);
      }
      await get("/api/runs");
      location.reload();
    },
  });
}
document.documentElement.dataset.ready = "true";
