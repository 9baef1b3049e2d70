// What was done is said before the page (console.css) until somebody has read it: it covers what
// lies below, so that it goes by itself, but not what offers a next step, nor what went wrong.

const SHOWN = 10_000; // ms in which the page was seen
const STEP = 500;

document.addEventListener("click", ({ target }) => {
  target.closest("[data-closes-messages]")?.closest(".messages").remove();
});

const said = document.querySelector(".messages");
if (said && !said.querySelector(".note:not(.note-good), a, form")) {
  let left = SHOWN;
  const timer = setInterval(() => {
    if (!document.hidden && !said.matches(":focus-within, :has(:hover)")) left -= STEP;
    if (left > 0 && said.isConnected) return;
    clearInterval(timer);
    said.remove();
  }, STEP);
}
