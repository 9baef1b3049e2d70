// The worker's page beside the form is the one that is being written, and its tabs say which it is.

export function watchScreens(root) {
  const links = () => [...root.querySelectorAll("[data-screen-link]")];

  root.addEventListener("click", ({ target }) => {
    const arm = target.closest("[data-arm-link]");
    const chosen = arm ?? target.closest("[data-screen-link]");
    if (!chosen) return;
    const alike = arm ? [...root.querySelectorAll("[data-arm-link]")] : links();
    for (const each of alike) each.removeAttribute("aria-current");
    chosen.setAttribute("aria-current", "true");
    if (!arm) return;
    const shown = links().find((each) => each.hasAttribute("aria-current"));
    for (const each of links()) each.search = arm.search; // its other pages too
    if (shown) arm.href = shown.href;
  });

  root.addEventListener("focusin", ({ target }) => {
    const wanted = target.closest("[data-screen-of]")?.dataset.screenOf;
    const link = links().find((each) => each.dataset.screenLink === wanted);
    if (link && !link.hasAttribute("aria-current")) link.click();
  });
}
