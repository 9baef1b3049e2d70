// The copy task before the writing: how fast a writer types a given sentence. Only the
// length and the time are sent, never the keys.

const PAUSE = 2000; // ms; what is longer is no typing
const AT_ONCE = 20; // units; more at once was not typed

const field = document.querySelector("[data-copy-task]");

function measure() {
  const [units, time] = ["units", "ms"].map((name) => document.querySelector(`[name=copy_${name}]`));
  const note = document.querySelector("[data-copy-note]");
  let length = 0;
  let last = null;
  let ms = 0;
  let typed = true;

  field.addEventListener("input", ({ timeStamp, isComposing }) => {
    const grown = field.value.length - length;
    const gap = last === null ? null : timeStamp - last;
    length = field.value.length;
    last = timeStamp;
    if (!length) [ms, last, typed] = [0, null, true]; // from the beginning
    if (grown > AT_ONCE) typed = false;
    if (gap !== null && gap < PAUSE && (grown > 0 || isComposing)) ms += gap;
    units.value = typed ? length : "";
    time.value = typed ? Math.round(ms) : "";
  });
  for (const type of ["paste", "drop"]) {
    field.addEventListener(type, (event) => {
      event.preventDefault();
      note.hidden = false;
    });
  }
}

if (field) measure();
