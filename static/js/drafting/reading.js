// Markdown beside its words, as the worker reads it. The server makes it, and makes it safe.

const PATIENCE = 400; // ms after the last key

export function watchMarkdown(root) {
  const timers = new Map();
  root.addEventListener("input", ({ target }) => {
    if (!target.matches("[data-markdown]")) return;
    clearTimeout(timers.get(target.id));
    timers.set(target.id, setTimeout(() => show(target), PATIENCE));
  });

  async function show(field) {
    const message = new FormData();
    const token = root.querySelector("[name=csrfmiddlewaretoken]").value;
    message.set("csrfmiddlewaretoken", token);
    message.set("text", field.value);
    try {
      const answer = await fetch(root.dataset.asRead, { method: "POST", body: message });
      const place = document.getElementById(field.dataset.markdown);
      if (answer.ok && !answer.redirected && place) place.innerHTML = await answer.text();
    } catch {
      // No connection: what stands there is a moment older.
    }
  }
}
