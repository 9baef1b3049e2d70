// Fetches what is data-near shortly before it comes into view: a frame from its data-src, any other
// part by htmx, hx-trigger="near". (A browser by itself fetches frames some screens ahead.)
// Such a part says that it waits (data-near-waits) or that the fetch failed (data-near-failed), with
// a button to try again (data-near-again).

const AHEAD = "800px 0px"; // so that nobody who scrolls sees it empty

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      if (target.dataset.src) target.src = target.dataset.src;
      else target.dispatchEvent(new Event("near"));
    }
  },
  { rootMargin: AHEAD },
);

function show(part, hasFailed) {
  const [waits, failed] = ["waits", "failed"].map((name) => part.querySelector(`[data-near-${name}]`));
  if (waits) waits.hidden = hasFailed;
  if (failed) failed.hidden = !hasFailed;
}

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ target }) => {
    if (target.matches("[data-near]")) show(target, true);
  });
}

document.addEventListener("click", ({ target }) => {
  const part = target.closest("[data-near-again]")?.closest("[data-near]");
  if (!part) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true }); // the button goes
  show(part, false);
  part.dispatchEvent(new Event("near"));
});

// Not before htmx listens.
document.addEventListener("DOMContentLoaded", () => {
  for (const part of document.querySelectorAll("[data-near]")) {
    show(part, false);
    observer.observe(part);
  }
});
