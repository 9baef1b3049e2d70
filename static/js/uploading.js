// Sends files as soon as they are chosen or dropped, with a bar that shows how much is there:
// <form data-uploading data-most-bytes>. Its button is there to send again what was not taken.
// Without this module the form sends them by itself.

import { size } from "./chosen-files.js";

/** The token of the page as it is now, or nothing where nobody is logged in any more. */
async function token() {
  const answer = await fetch(location.pathname, { credentials: "same-origin" });
  if (answer.redirected || !answer.ok) return "";
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}

function uploading(form) {
  const input = form.querySelector("input[type=file]");
  const error = form.querySelector("[data-error]");
  const transfer = form.querySelector("[data-transfer]");
  const bar = transfer.querySelector("progress");
  const words = transfer.querySelector("[data-words]");
  const button = form.querySelector("button");
  const sending = form.querySelector("[data-send]");
  let isBusy = false;

  const say = (sentence, fault = "") => {
    error.textContent = sentence;
    error.dataset.error = fault;
    error.hidden = !sentence;
  };
  const busy = (is) => {
    isBusy = is;
    form.setAttribute("aria-busy", String(is));
    button.disabled = is;
    input.disabled = is; // what was chosen now would be listed, and sent by nobody
    transfer.hidden = !is;
  };
  const stop = (sentence, fault) => {
    busy(false);
    say(sentence, fault);
    sending.hidden = false;
    if (document.activeElement === document.body) input.focus(); // it lost it when it was disabled
  };

  /** Why these files are not sent, before anything is. */
  function tooMuch() {
    const files = [...input.files];
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const most = Number(form.dataset.mostBytes);
    if (total > most) return `These files have ${size(total)}. The limit is ${size(most)}: compress them (.gz) or upload fewer.`;
    return "";
  }

  /** First what is chosen for the files that are there: sending others must not lose it. */
  function chosen() {
    const check = document.getElementById("check");
    const data = check ? new FormData(check) : new FormData();
    for (const [name, value] of new FormData(form)) data.append(name, value);
    return data;
  }

  function send(data, secret) {
    data.set("csrfmiddlewaretoken", secret);
    const request = new XMLHttpRequest();
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = total ? loaded / total : 0;
      words.textContent = loaded < total ? `${size(loaded)} of ${size(total)}` : "Reading the first rows…";
    });
    request.addEventListener("load", () => {
      if (request.status < 400) {
        form.reset(); // a browser that remembers what was chosen would have it sent again
        location.reload();
      } else stop(request.status === 413 ? "These files are too large for this server." : "The server refused the files. Try again.");
    });
    request.addEventListener("error", () => stop("The connection was lost. Upload the files again.", "connection"));
    request.open("POST", form.action);
    request.send(data);
  }

  async function begin() {
    if (isBusy || !input.files.length) return;
    const sentence = tooMuch();
    if (sentence) {
      say(sentence, "too-much");
      return;
    }
    say("");
    const data = chosen(); // a field that is disabled is no part of it
    busy(true);
    bar.value = 0;
    words.textContent = "";
    try {
      const secret = await token();
      if (secret) send(data, secret);
      else stop("You are signed out. Sign in in another tab, then press Upload.", "logged-out");
    } catch {
      stop("The server can't be reached. Press Upload to try again.");
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin();
  });
  sending.hidden = true;
  input.addEventListener("change", begin);
  begin(); // what was chosen before this module was there
  for (const name of ["dragenter", "dragover"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.toggleAttribute("data-over", true);
    });
  }
  form.addEventListener("dragleave", (event) => {
    if (!form.contains(event.relatedTarget)) form.removeAttribute("data-over");
  });
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.removeAttribute("data-over");
    if (!event.dataTransfer.files.length) return;
    if (isBusy) {
      say("Wait until the other files are uploaded.");
      return;
    }
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true })); // it is listed, and sent
  });
}

for (const form of document.querySelectorAll("[data-uploading]")) uploading(form);
