// The worker's page beside the form is the one that is being written, and its tabs say which it is.

export function watchScreens(root) {
  const links = () => [...root.querySelectorAll("[data-screen-link]")];

  root.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-screen-link]");
    if (!chosen) return;
    for (const each of links()) each.removeAttribute("aria-current");
    chosen.setAttribute("aria-current", "true");
  });

  root.addEventListener("focusin", ({ target }) => {
    const wanted = target.closest("[data-screen-of]")?.dataset.screenOf;
    const link = links().find((each) => each.dataset.screenLink === wanted);
    if (link && !link.hasAttribute("aria-current")) link.click();
  });
}
