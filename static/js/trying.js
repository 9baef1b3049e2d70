// A trial in a frame that is as wide as a phone, a tablet or a computer, and made smaller where the
// page has less room: [data-screens] with a button for each size, data-screen="360x740".

const said = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const linkOf = (page) => page.querySelector("[data-trial-link]")?.textContent ?? "";

/**
 * Say how far somebody went: when the trial in the frame has come to another page, and when the
 * researcher comes back to this page from a trial in another tab. Only what differs is changed; what
 * is typed stays, and the frame, unless it shows a trial that is another one by now, or gone.
 */
async function look() {
  const answer = await fetch(location.pathname).catch(() => null); // the next look asks again
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const isAnother = linkOf(page) !== linkOf(document);
  for (const name of isAnother ? ["[data-as-worker]", "[data-tried]"] : ["[data-trial-told]", "[data-tried]"]) {
    const [shown, now] = [document.querySelector(name), page.querySelector(name)];
    if (shown && now && shown.textContent !== now.textContent) shown.replaceChildren(...now.childNodes);
  }
  if (isAnother) watchAll();
}

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
  frame.addEventListener("load", look);
  root.querySelector("[role=group]").hidden = false;
  new ResizeObserver(fit).observe(root);
  fit();
}

function watchAll() {
  for (const root of document.querySelectorAll("[data-screens]")) watch(root);
}

watchAll();
document.addEventListener("visibilitychange", () => document.hidden || look());
addEventListener("pageshow", ({ persisted }) => persisted && look());
