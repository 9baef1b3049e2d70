// Toolbars whose choices apply at once: <form data-picks>. Without this module a button sends them.

for (const form of document.querySelectorAll("form[data-picks]")) {
  form.querySelector("[data-apply]").hidden = true;
  form.addEventListener("change", () => form.requestSubmit());
}
