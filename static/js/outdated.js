// What was checked is not what is chosen any more: once a field of the form changes, the check takes
// the place of what goes on with it. <form data-outdated-by="ID of the form"> beside #ID-again, and
// <p data-current> gives way to <p data-outdated hidden>.

const next = document.querySelector("[data-outdated-by]");
const again = next && document.getElementById(`${next.dataset.outdatedBy}-again`);

if (again) {
  document.addEventListener("change", ({ target }) => {
    if (target.form?.id !== next.dataset.outdatedBy || !next.isConnected) return;
    again.classList.add("button-primary");
    next.parentElement.querySelector("[data-current]").hidden = true;
    next.parentElement.querySelector("[data-outdated]").hidden = false;
    next.replaceWith(again);
  });
}
