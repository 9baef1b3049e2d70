// What was done is said before the page (console.css) until somebody has read it.

document.addEventListener("click", ({ target }) => {
  target.closest("[data-closes-messages]")?.closest(".messages").remove();
});
