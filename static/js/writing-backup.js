// A file that a writer can take away when the server is gone: the text, and what the server has
// not got of the log.

import { say } from "./words.js";

/** @param {{token: string, text: string, chunks: object[]}} content */
export function fileOf({ token, text, chunks }) {
  return JSON.stringify({ format: "crowdwright-writing-backup", version: 1, token, text, chunks });
}

/** Download it. */
export function keep(content) {
  const file = new Blob([fileOf(content)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  const name = say("my-text");
  link.download = `${name}-${new Date().toISOString().slice(0, 16).replaceAll(":", "")}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
