// Toolbars whose choices apply at once: <form data-picks>. Without scripts a button sends them.

for (const form of document.querySelectorAll("form[data-picks]")) {
  for (const field of form.elements) {
    if (field.type !== "search") field.addEventListener("change", () => form.requestSubmit());
  }
}
