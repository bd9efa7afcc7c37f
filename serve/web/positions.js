// Boards on pages of documents. The server sends their positions; the values of houses and stores are optional.

import { boardIn, parse } from "./draw.js";
import { el } from "./talk.js";

for (const place of document.querySelectorAll(".wood[data-board]")) {
  const { houses, stores, turn } = parse(place.dataset.board);
  const values = place.dataset.values?.split(" ");
  const table = el("table", { class: "board" }, el("caption", { class: "hidden" }, place.dataset.board), el("tbody"));
  const top = el("div"), bottom = el("div");
  place.replaceChildren(top, table, bottom);
  const worth = (n) => el("span", { class: "value" }, n);
  boardIn(table, top, bottom, () => el("div")).draw(houses, stores,
    (h) => ({ value: values && (values[h] || null) }),
    (side) => ({ mover: side === turn, more: values?.[12 + side] ? [worth(values[12 + side])] : [] }));
}
