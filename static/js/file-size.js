// Tells before a file is sent that it is larger than the server takes: <input data-most-bytes>.

const ROOM = 2_000; // bytes that a form has around its file

for (const input of document.querySelectorAll("[data-most-bytes]")) {
  const error = input.parentElement.querySelector("[data-too-large]");
  input.addEventListener("change", () => {
    const size = input.files[0]?.size ?? 0;
    const isTooLarge = size + ROOM > Number(input.dataset.mostBytes);
    const sentence = isTooLarge ? `This file has ${size.toLocaleString("en")} bytes, too many for this page.` : "";
    input.setCustomValidity(sentence);
    error.textContent = sentence;
    error.hidden = !isTooLarge;
    input.setAttribute("aria-invalid", String(isTooLarge));
  });
}
