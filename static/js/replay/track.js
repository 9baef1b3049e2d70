// The track behind the scrubber: how much was written when, pauses, and a line for every mark.

const NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 100;
const FLOOR = 70; // the density grows from here upwards, the marks hang below

function shape(name, attributes) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** The outline of the density; roots, so that a paste does not flatten the typing. */
function densityPath({ bin, edits }, scale) {
  const most = Math.sqrt(Math.max(1, ...edits));
  const points = edits.map((number, index) => {
    const y = FLOOR - (Math.sqrt(number) / most) * (FLOOR - 6);
    return `L${scale(index * bin)} ${y}L${scale((index + 1) * bin)} ${y}`;
  });
  return `M0 ${FLOOR}${points.join("")}L${WIDTH} ${FLOOR}Z`;
}

function markShape([ms, , kind, , to], scale) {
  const x = scale(ms);
  if (kind !== "away") {
    return shape("rect", { class: `mark-${kind}`, x: x - 1.5, y: FLOOR, width: 3, height: 22 });
  }
  const width = Math.max(2, scale(to) - x);
  return shape("rect", { class: "mark-away", x, y: HEIGHT - 8, width, height: 8 });
}

/** Draw a playback into an SVG; returns how to move its needle. */
export function drawTrack(drawing, { duration, density, pauses, marks }) {
  const scale = (ms) => Math.min(WIDTH, (WIDTH * ms) / Math.max(1, duration));
  const shades = pauses.map(([from, to]) =>
    shape("rect", { class: "pause", x: scale(from), y: 0, width: scale(to) - scale(from), height: FLOOR }),
  );
  const done = shape("rect", { class: "done", x: 0, y: 0, width: 0, height: HEIGHT });
  const needle = shape("rect", { class: "needle", x: 0, y: 0, width: 2.5, height: HEIGHT });
  drawing.replaceChildren(
    ...shades,
    done,
    shape("path", { class: "density", d: densityPath(density, scale) }),
    ...marks.map((mark) => markShape(mark, scale)),
    needle,
  );
  return (ms) => {
    done.setAttribute("width", scale(ms));
    needle.setAttribute("x", Math.min(WIDTH - 2.5, scale(ms)));
  };
}
