// A page that renews itself says when its session has ended, and no longer once there is one again.

const words = document.querySelector("[data-logged-out]");
let shown = null;

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.xhr.status === 401 && !shown) {
    shown = words.content.firstElementChild.cloneNode(true);
    document.getElementById("main").append(shown);
  } else if (detail.successful) {
    shown?.remove();
    shown = null;
  }
});
