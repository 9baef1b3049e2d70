// Who else is in the draft, and what they have changed.

const EVERY = 5000; // ms

export function watchPeople(root, sheet) {
  const place = document.querySelector("[data-people]");

  async function look() {
    if (document.hidden) return;
    const message = new FormData();
    message.set("csrfmiddlewaretoken", sheet.form.elements.csrfmiddlewaretoken.value);
    message.set("section", root.dataset.section);
    try {
      const answer = await fetch(root.dataset.here, { method: "POST", body: message });
      if (!answer.ok || answer.redirected) return;
      const { revision, people } = await answer.json();
      const words = people.map(({ name, section }) => (section ? `${name} (${section})` : name));
      const said = words.length ? `Also here: ${words.join(", ")}` : "";
      if (place.textContent !== said) place.textContent = said;
      await sheet.merge(revision);
    } catch {
      // No connection: the next look tells.
    }
  }

  look();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
