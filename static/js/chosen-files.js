// Lists the names of the files that were chosen where a browser counts them only:
// <input type="file" data-lists="the id of an empty list">.

export const size = (bytes) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3).toLocaleString("en")} kB` : `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

for (const input of document.querySelectorAll("[data-lists]")) {
  const list = document.getElementById(input.dataset.lists);
  input.addEventListener("change", () => {
    list.hidden = !input.files.length;
    list.replaceChildren(
      ...[...input.files].map((file) => {
        const line = document.createElement("li");
        line.textContent = `${file.name}, ${size(file.size)}`;
        return line;
      }),
    );
  });
}
