// Topics that are ticked: all or none with one press, and how many there are as one goes.

const form = document.querySelector("[data-ticking]");

if (form) {
  const boxes = () => [...form.querySelectorAll("[name=take]")];
  const said = form.querySelector("[data-ticked]");
  const count = () => {
    const n = Number(form.dataset.others) + boxes().filter((each) => each.checked).length;
    said.textContent = said.dataset.words.replace("{n}", n);
  };
  form.addEventListener("change", count);
  form.addEventListener("click", ({ target }) => {
    const { tick } = target.closest("[data-tick]")?.dataset ?? {};
    if (!tick) return;
    for (const box of boxes()) box.checked = tick === "all";
    count();
  });
  form.querySelector("[data-tick-buttons]").hidden = false;
  count(); // a browser that comes back has ticks of its own
}
