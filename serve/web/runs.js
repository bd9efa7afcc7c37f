// The page of runs: starts, stops and resumes runs, and follows one in progress.

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

// The server draws the stages of a run in progress. After each stage the page updates the results.
const live = $("live"), { name, working, stages } = live?.dataset ?? {};
let shown = Number(stages);

// draw shows the progress of the run.
function draw(s) {
  $("status").textContent = s.text;
  live.innerHTML = s.html;
  if (s.stages === shown) return;
  shown = s.stages;
  results().catch((e) => fault(e.message));
}

// results updates the description of the run. Sections that are open stay open.
async function results() {
  const answer = await fetch(location), page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, old] = [page, document].map((p) => p.querySelector(".doc"));
  if (!answer.ok || !now) throw new Error(page.getElementById("fault")?.textContent || `the server answers ${answer.status}`);
  const titles = [...old.querySelectorAll("details[open] > summary")].map((s) => s.textContent);
  for (const s of now.querySelectorAll("details > summary")) s.parentElement.open = titles.includes(s.textContent);
  old.replaceWith(now);
  document.querySelector(".status:not([id])").replaceWith(page.querySelector(".status:not([id])"));
}

if (working) {
  listen("/api/run/watch", { name }, {
    state: draw,
    done: () => location.reload(),
    failed: (f) => fault(f.error),
    lost: async () => {
      if (working === "here") {
        for (const b of document.querySelectorAll("button[data-act]")) b.remove();
        fault(`The server has ended, and with it ${name}. Finished work is kept. Start the server again to resume.`);
      }
      await get("/api/game");
      location.reload();
    },
  });
}
document.documentElement.dataset.ready = "true";
