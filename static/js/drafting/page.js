// The editor of a draft: fields save themselves, lists change in place, others are seen.

import { watchLists } from "./lists.js";
import { watchPeople } from "./people.js";
import { watchMarkdown } from "./reading.js";
import { watchScreens } from "./screens.js";
import { Sheet } from "./sheet.js";

const root = document.querySelector("[data-draft]");
if (root?.querySelector("[data-sheet]")) {
  const sheet = new Sheet(root);
  watchLists(sheet);
  watchMarkdown(root);
  watchPeople(root, sheet);
  watchScreens(root);
}
