// A form with data-once is sent once: a second click before the answer does nothing.

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-once]");
  if (!form) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
});

// Coming back by the browser's history, the form can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-once]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
  }
});
