// What was done is said before the page (console.css) until somebody has read it: it covers what
// lies below, so that it goes by itself, but not what offers a next step, nor what went wrong.

const SHOWN = 10_000; // ms in which the page was seen
const STEP = 500;

document.addEventListener("click", ({ target }) => {
  target.closest("[data-closes-messages]")?.closest(".messages").remove();
});

const said = document.querySelector(".messages");
let left = SHOWN;
const timer = setInterval(() => {
  const stays = !said || said.querySelector(".note:not(.note-good), a, form");
  if (stays || !said.isConnected) {
    clearInterval(timer);
    return;
  }
  if (!document.hidden && !said.matches(":focus-within, :has(:hover)")) left -= STEP;
  if (left > 0) return;
  clearInterval(timer);
  said.remove();
}, STEP);
