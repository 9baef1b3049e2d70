// The replay on the page: fetches the playback, and moves everything to one moment.

import { foldedLine } from "./folds.js";
import { advance, speedBeside } from "./pace.js";
import { isFree } from "./keyboard.js";
import { listMarks } from "./marks.js";
import { addressOf, clock, markBeside, momentOf, spoken, targetOf } from "./moments.js";
import { followPassages } from "./passages.js";
import { createPlayer } from "./player.js";
import { createText } from "./text.js";
import { drawAxis, drawTrack, explainTrack } from "./track.js";

const find = (name) => document.querySelector(`[data-${name}]`);
const root = find("replay");
const PLACES = 100_000; // of the scrubber, which moves along the folded line
const parts = Object.fromEntries(
  ["scrubber", "play", "mark-before", "mark-after", "speed", "skip", "link", "now", "total"].map(
    (name) => [name, find(name)],
  ),
);

function fail(sentence) {
  const fault = find("fault");
  fault.textContent = `The writing cannot be replayed; the text below is as it was handed in. ${sentence}`;
  fault.hidden = false;
  root.setAttribute("data-failed", "");
}

async function load() {
  try {
    const response = await fetch(root.dataset.address);
    const data = await response.json();
    if (response.ok) start(data);
    else fail(data.fault ?? "");
  } catch {
    fail("The recording didn't load. Reload the page to try again.");
  }
}

function start(data) {
  const player = createPlayer(data);
  const showText = createText({
    box: find("text"),
    legend: find("legend"),
    steps: data.steps,
    snapshots: data.snapshots,
  });
  const line = foldedLine(data.duration, data.pauses);
  const followers = [
    drawTrack(find("drawing"), data, line),
    listMarks({ card: find("marks-card"), list: find("marks"), switches: find("kinds"), marks: data.marks, snapshots: data.snapshots }),
    followPassages({ list: find("passages"), words: find("in-view"), shown: data.shown }),
  ];
  let ms = 0;
  let noting = 0;
  let last = null; // when the last frame was, while it plays

  function show(wanted) {
    ms = Math.min(data.duration, Math.max(0, wanted));
    showText(player.seek(ms));
    for (const follow of followers) follow(ms);
    parts.scrubber.value = Math.round(PLACES * line.place(ms));
    parts.scrubber.setAttribute("aria-valuetext", spoken(ms));
    parts.now.textContent = clock(ms);
    parts.link.dataset.copyAddress = location.pathname + location.search + addressOf(ms);
  }

  function frame(now) {
    if (last === null) return;
    const pace = { speed: Number(parts.speed.value), skip: parts.skip.checked, pauses: data.pauses };
    show(advance({ ms, elapsed: now - last, ...pace }));
    last = now;
    if (ms < data.duration) requestAnimationFrame(frame);
    else pause();
  }

  function play() {
    if (ms >= data.duration) show(0);
    last = performance.now();
    parts.play.textContent = "Pause";
    requestAnimationFrame(frame);
  }

  function pause() {
    last = null;
    parts.play.textContent = "Play";
    note();
  }

  /** Put the moment into the address, but not at every step of a drag: browsers limit that. */
  function note() {
    clearTimeout(noting);
    noting = setTimeout(() => history.replaceState(history.state, "", addressOf(ms)), 250);
  }

  function seek(wanted) {
    show(wanted);
    if (last === null) note();
  }

  const controls = {
    place: (value) => seek(line.moment(value / PLACES)),
    toggle: () => (last === null ? play() : pause()),
    seek,
    by: (change) => seek(ms + change),
    mark: (way) => {
      const mark = markBeside(data.marks, ms, way);
      if (mark) seek(targetOf(mark));
    },
    speed: (way) => {
      parts.speed.value = speedBeside(Number(parts.speed.value), way);
    },
    end: () => seek(data.duration),
  };
  parts.total.textContent = clock(data.duration);
  parts.scrubber.max = PLACES;
  root.toggleAttribute("data-snapshots", data.snapshots);
  find("marks-card").toggleAttribute("data-snapshots", data.snapshots);
  drawAxis(find("axis"), data.duration, line);
  explainTrack(find("track-legend"), data, line);
  for (const each of Object.values(parts)) each.disabled = false;
  wire(controls);
  show(momentOf(location.hash) ?? data.duration);
  root.setAttribute("data-ready", "");
}

function wire(controls) {
  parts.play.addEventListener("click", controls.toggle);
  parts["mark-before"].addEventListener("click", () => controls.mark(-1));
  parts["mark-after"].addEventListener("click", () => controls.mark(1));
  parts.scrubber.addEventListener("input", () => controls.place(Number(parts.scrubber.value)));
  addEventListener("hashchange", () => {
    const ms = momentOf(location.hash);
    if (ms !== null) controls.seek(ms);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#ms="]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    controls.seek(momentOf(link.hash));
    root.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("keydown", (event) => {
    if (isFree(event) && press(event, controls)) event.preventDefault();
  });
}

/** @returns {boolean} whether the key was one of ours */
function press({ key, target, shiftKey }, controls) {
  const step = shiftKey ? 60_000 : 5_000;
  const keys = {
    ArrowLeft: () => controls.by(-step),
    ArrowRight: () => controls.by(step),
    Home: () => controls.seek(0),
    End: controls.end,
    b: () => controls.mark(-1),
    n: () => controls.mark(1),
    "-": () => controls.speed(-1),
    "+": () => controls.speed(1),
    " ": controls.toggle,
  };
  if (key === " " && target.matches("button, a, summary, input[type=checkbox]")) return false;
  keys[key]?.();
  return key in keys;
}

load();
