// What is under way is often done at once: htmx asks for it soon after the page came, too, and not
// only at its pace: hx-trigger="every 3s, soon".

const SOON = [300, 800, 1500, 2500]; // ms

for (const ms of SOON) {
  setTimeout(() => {
    for (const part of document.querySelectorAll("[hx-trigger$=', soon']")) part.dispatchEvent(new Event("soon"));
  }, ms);
}
