// The clock of a game: the browser's own, since both players sit at it.

export const clock = {
  on: false, chosen: "", left: [0, 0], more: 0, side: -1, since: 0,
  // start sets both sides to the seconds of "seconds+increment", or turns the clock off with "". The
  // clock runs from the first move on.
  start(text, left) {
    this.chosen = text;
    const [seconds, more] = text.split("+").map(Number);
    this.on = text !== "";
    this.left = left ?? [seconds * 1000, seconds * 1000];
    this.more = more * 1000;
    this.side = -1;
  },
  kept() { return this.on ? { text: this.chosen, left: [this.now(0), this.now(1)] } : null; },
  now(side) { return Math.max(0, this.left[side] - (side === this.side ? performance.now() - this.since : 0)); },
  // pause stops the clock and returns the side whose time ran.
  pause() {
    const running = this.side;
    if (running >= 0) this.left[running] = this.now(running);
    this.side = -1;
    return running;
  },
  run(side) {
    this.side = side;
    this.since = performance.now();
  },
  // moved adds the increment to a side whose time ran, and starts the other side's time.
  moved(side, running) {
    if (!this.on) return;
    if (running === side) this.left[side] += this.more;
    this.run(1 - side);
  },
  text(side) {
    const s = Math.ceil(this.now(side) / 1000);
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  },
};
