// The sounds of a move, synthesised without files.

let audio = null;

// ready returns the audio context; null before the visitor has touched the page, since browsers mute
// pages until then.
function ready() {
  if (!globalThis.AudioContext || navigator.userActivation?.hasBeenActive === false) return null;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  return audio;
}

// strike plays a tone that starts after some seconds and fades.
function strike(pitch, seconds, loud, after = 0) {
  const out = ready();
  if (!out) return;
  const at = out.currentTime + after, tone = out.createOscillator(), volume = out.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(1.6 * pitch, at);
  tone.frequency.exponentialRampToValueAtTime(pitch, at + 0.02);
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(volume).connect(out.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

// seedFalls is the sound of a seed that falls into a house: the fuller the house, the lower.
export const seedFalls = (seeds) => strike(520 - 22 * Math.min(seeds, 12), 0.09, 0.18);

// seedsTaken is the sound of a capture.
export function seedsTaken() {
  strike(660, 0.16, 0.16);
  strike(990, 0.22, 0.14, 0.07);
}
