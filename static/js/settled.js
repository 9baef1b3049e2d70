// Tells when a choice is settled. Arrow keys change a list with every press: a choice by keyboard
// waits until its field is left, or for Enter. The field that has the focus then gets it again on
// the page that follows, also if that page comes after another one.

const KEY = "settled-focus";

/** Calls back with a field in `part` (or `part` itself) that has changed for good. */
export function settled(part, call) {
  let byKey = false;
  let changed = null;

  const go = (field, focused = field) => {
    changed = null;
    if (focused.id) sessionStorage.setItem(KEY, `${location.pathname} ${focused.id}`);
    call(field);
  };
  part.addEventListener("pointerdown", () => (byKey = false));
  part.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key !== "Enter" || !changed) return;
    event.preventDefault();
    go(changed);
  });
  part.addEventListener("change", ({ target }) => {
    if (byKey) changed = target;
    else go(target);
  });
  part.addEventListener("focusout", ({ relatedTarget }) => {
    if (!changed || relatedTarget?.matches("button, a")) return; // pressed: it has its own act
    go(changed, relatedTarget ?? changed);
  });
}

const [path, id] = (sessionStorage.getItem(KEY) ?? "").split(" ");
const field = path === location.pathname && document.getElementById(id);
if (field) {
  sessionStorage.removeItem(KEY);
  for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  field.focus();
}
