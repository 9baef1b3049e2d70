// The track behind the scrubber: how much was written when, pauses, folds, a line for every mark,
// and the axis below it.

import { axisOf, densityOf } from "./folds.js";
import { clock, span } from "./moments.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 100;
const FLOOR = 70; // the density grows from here upwards, the marks hang below
const BAR = 5; // of a pause, on the floor where nothing grows
const BINS = 240;
const LABEL = 96; // pixels that a label of the axis takes

function shape(name, attributes) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** The outline of the density; roots, so that a paste does not flatten the typing. */
function densityPath(numbers) {
  const most = Math.sqrt(Math.max(1, ...numbers));
  const points = numbers.map((number, index) => {
    const y = FLOOR - (Math.sqrt(number) / most) * (FLOOR - 6);
    return `L${(WIDTH * index) / BINS} ${y}L${(WIDTH * (index + 1)) / BINS} ${y}`;
  });
  return `M0 ${FLOOR}${points.join("")}L${WIDTH} ${FLOOR}Z`;
}

function markShape([ms, , kind, , to], scale) {
  const x = scale(ms);
  if (kind !== "away") {
    return shape("rect", { "data-sign": kind, x: x - 1.5, y: FLOOR, width: 3, height: 22 });
  }
  const width = Math.max(2, scale(to) - x);
  return shape("rect", { "data-sign": kind, x, y: HEIGHT - 8, width, height: 8 });
}

/** A break in the line: a gap between two edges. */
function foldShape({ start, end }) {
  const [x, width] = [WIDTH * start, WIDTH * (end - start)];
  const group = shape("g", { class: "fold" });
  const zigzag = [0, 1, 2, 3, 4, 5, 6].map((n) => `${x + (n % 2 ? width : 0)} ${(n * HEIGHT) / 6}`);
  group.append(
    shape("rect", { x, y: 0, width, height: HEIGHT }),
    shape("path", { d: `M${zigzag.join("L")}`, "vector-effect": "non-scaling-stroke" }),
  );
  return group;
}

/** Draw a playback into an SVG along a line; returns how to move its needle. */
export function drawTrack(drawing, { steps, pauses, marks }, line) {
  const scale = (ms) => WIDTH * line.place(ms);
  const of = ([from, to], name, height) =>
    shape("rect", { class: name, x: scale(from), y: FLOOR - height, width: scale(to) - scale(from), height });
  const shades = pauses.map((pause) => of(pause, "pause", FLOOR));
  const bars = pauses.map((pause) => of(pause, "pause-bar", BAR)); // that nothing lies over
  const done = shape("rect", { class: "done", x: 0, y: 0, width: 0, height: HEIGHT });
  const needle = shape("rect", { class: "needle", x: 0, y: 0, width: 2.5, height: HEIGHT });
  drawing.replaceChildren(
    ...shades,
    done,
    shape("path", { class: "density", d: densityPath(densityOf(steps.map((step) => step[1]), line, BINS)) }),
    ...bars,
    ...line.folds.map(foldShape),
    ...marks.map((mark) => markShape(mark, scale)),
    needle,
  );
  return (ms) => {
    done.setAttribute("width", scale(ms));
    needle.setAttribute("x", Math.min(WIDTH - 2.5, scale(ms)));
  };
}

function label({ place, ms, idle }) {
  const element = document.createElement("span");
  element.className = idle ? "soft" : "";
  element.textContent = idle ? `+${span(idle)}` : clock(ms);
  element.style.insetInlineStart = `${100 * place}%`;
  if (place === 0 || place === 1) element.dataset.end = place;
  return element;
}

/** Write the times below the track, as many as fit, also when the page gets another width. */
export function drawAxis(axis, duration, line) {
  const draw = () => {
    const room = Math.max(2, Math.floor(axis.clientWidth / LABEL));
    axis.replaceChildren(...axisOf(line, duration, room).map(label));
  };
  new ResizeObserver(draw).observe(axis);
}

/** Say what is folded, and show of the legend what there is. */
export function explainTrack(legend, { marks, pauses, snapshots }, line) {
  const there = new Set(marks.map(([, , kind]) => kind));
  if (pauses.length) there.add("pause");
  if (line.folds.length) there.add("fold");
  const idle = line.folds.reduce((sum, { from, to }) => sum + to - from, 0);
  const number = line.folds.length === 1 ? "1 idle time" : `${line.folds.length} idle times`;
  legend.querySelector("[data-folded]").textContent = `${number} folded, ${span(idle)} in all`;
  if (snapshots) legend.querySelector("[data-brought]").textContent = "appeared at once";
  for (const item of legend.querySelectorAll("[data-of]")) item.hidden = !there.has(item.dataset.of);
}
