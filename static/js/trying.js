// A trial in a frame that is as wide as a phone, a tablet or a computer, and made smaller where the
// page has less room: [data-screens] with a button for each size, data-screen="360x740".

const said = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function watch(root) {
  const room = root.querySelector("[data-screen-room]");
  const frame = room.querySelector("iframe");
  const words = root.querySelector("[data-screen-words]");
  const buttons = [...root.querySelectorAll("[data-screen]")];

  const fit = () => {
    const shown = buttons.find((each) => each.getAttribute("aria-pressed") === "true");
    const [width, height] = shown.dataset.screen.split("x").map(Number);
    const scale = Math.min(1, root.clientWidth / width);
    Object.assign(frame.style, {
      width: `${width}px`,
      height: `${height}px`,
      transform: scale < 1 ? `scale(${scale})` : "",
    });
    Object.assign(room.style, { width: `${width * scale}px`, height: `${height * scale}px` });
    const percent = Math.round(scale * 100);
    const { words: whole, smaller } = words.dataset;
    words.textContent = said(scale < 1 ? smaller : whole, { width, height, percent });
  };

  for (const button of buttons) {
    button.addEventListener("click", () => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
      fit();
    });
  }
  root.querySelector("[role=group]").hidden = false;
  new ResizeObserver(fit).observe(root);
  fit();
}

for (const root of document.querySelectorAll("[data-screens]")) watch(root);
