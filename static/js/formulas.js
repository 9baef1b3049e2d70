// Formulas in texts, typeset by KaTeX. It is loaded only where a text has one, and what it cannot
// typeset stays as it was written.

const self = document.querySelector("script[data-katex]");
const BREATH = 12; // ms of typesetting until the page is let go on
const LIMITS = { trust: untrusted, strict: "ignore", maxSize: 20, maxExpand: 200 };
let loading = null;

/** Links, images and classes in a formula: it stays as it was written, and is not half of it. */
function untrusted({ command }) {
  throw new Error(`${command} is not allowed`);
}

/** KaTeX, fetched once; rejects without a connection, and is fetched again then. */
function katex() {
  loading ??= new Promise((resolve, reject) => {
    const style = document.createElement("link");
    Object.assign(style, { rel: "stylesheet", href: self.dataset.katexCss });
    const script = document.createElement("script");
    script.src = self.dataset.katex;
    script.onload = () => resolve(globalThis.katex);
    script.onerror = () => {
      loading = null;
      style.remove();
      script.remove();
      reject(new Error("KaTeX was not loaded"));
    };
    document.head.append(style, script);
  });
  return loading;
}

/** The formula without its delimiters. */
function sourceOf(text) {
  const length = text.startsWith("$") && !text.startsWith("$$") ? 1 : 2;
  return text.slice(length, -length);
}

function typeset({ render }, place) {
  const { formula } = place.dataset;
  const made = document.createElement("span");
  try {
    render(sourceOf(place.textContent), made, { ...LIMITS, displayMode: formula === "display", throwOnError: true });
  } catch {
    place.dataset.raw = "";
    return;
  }
  place.title = place.textContent;
  place.replaceChildren(...made.childNodes);
  place.dataset.typeset = "";
}

async function typesetAll() {
  const places = [...document.querySelectorAll("[data-formula]:not([data-typeset], [data-raw])")];
  if (!places.length) return;
  let setter;
  try {
    setter = await katex();
  } catch {
    return; // the formulas stay as they were written
  }
  let until = performance.now() + BREATH;
  for (const place of places) {
    if (!place.isConnected || "typeset" in place.dataset) continue;
    typeset(setter, place);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + BREATH;
  }
}

for (const type of ["crowdwright:item", "htmx:afterSettle"]) document.addEventListener(type, typesetAll);
typesetAll();
