// Drags an element of a list to another place. The buttons beside it do the same by keyboard.

export function watchLists(sheet) {
  let dragged = null;

  sheet.root.addEventListener("pointerdown", ({ target }) => {
    const element = target.closest("[data-grip]")?.closest("[data-element]");
    if (element) element.draggable = true;
  });

  sheet.root.addEventListener("click", (event) => {
    if (event.target.closest("[data-grip]")) event.preventDefault(); // the card stays as it is
  });

  sheet.root.addEventListener("dragstart", (event) => {
    const element = event.target.closest?.("[data-element][draggable=true]");
    if (!element) return;
    dragged = element;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", element.dataset.element);
    element.classList.add("is-dragged");
  });

  sheet.root.addEventListener("dragover", (event) => {
    const over = neighbour(event.target);
    if (!over) return;
    event.preventDefault();
    const { top, height } = over.getBoundingClientRect();
    if (event.clientY > top + height / 2) over.after(dragged);
    else over.before(dragged);
  });

  sheet.root.addEventListener("drop", (event) => {
    if (dragged) event.preventDefault();
  });

  sheet.root.addEventListener("dragend", () => {
    if (!dragged) return;
    const element = dragged;
    dragged = null;
    element.draggable = false;
    element.classList.remove("is-dragged");
    const place = [...element.parentElement.children].indexOf(element);
    if (place === Number(element.dataset.index)) return;
    sheet.step(sheet.form.action, { do: `move ${element.dataset.element} ${place}` });
  });

  /** The element of the same list that the pointer is over. */
  function neighbour(target) {
    if (!dragged) return null;
    const over = target.closest("[data-element]");
    for (let each = over; each; each = each.parentElement?.closest("[data-element]")) {
      if (each.parentElement === dragged.parentElement) return each === dragged ? null : each;
    }
    return null;
  }
}
