// Toolbars whose choices apply at once: <form data-picks>. Without scripts a button sends them.

for (const form of document.querySelectorAll("form[data-picks]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
