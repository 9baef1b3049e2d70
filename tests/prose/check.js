// Checks guides and messages of the interface for words that the writing guide rules out:
// `node tests/prose/check.js`. Files that are not yet clean are in unclean.json with the number of
// their faults, which may only fall; `--lower` writes today's lower numbers there.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import plain from "@textlint/textlint-plugin-text";

import { differences, lowered } from "./baseline.js";
import rule from "./rule.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const UNCLEAN = new URL("unclean.json", import.meta.url);
const OPTIONS = {
  rules: [{ ruleId: "terms", rule: rule }],
  plugins: [
    { pluginId: "markdown", plugin: markdown.default ?? markdown },
    { pluginId: "text", plugin: plain.default ?? plain },
  ],
};

/** Text by file: guides as Markdown, and the messages of each source file. */
function texts() {
  const guides = readdirSync(`${ROOT}docs`, { recursive: true })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .concat(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"])
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ name, ext: ".md", text: readFileSync(`${ROOT}${name}`, "utf8") }));
  const python = process.env.PYTHON ?? `${ROOT}.venv/bin/python`;
  const lines = execFileSync(python, ["-m", "tests.prose.messages"], { cwd: ROOT, maxBuffer: 1e8 });
  const messages = Object.entries(JSON.parse(lines));
  return guides.concat(
    messages.map(([name, words]) => ({ name, ext: ".txt", text: words.join("\n\n") })),
  );
}

const kernel = new TextlintKernel();
const faults = {};
for (const { name, ext, text } of texts()) {
  const result = await kernel.lintText(text, { ...OPTIONS, filePath: name, ext });
  if (result.messages.length) faults[name] = result.messages;
}
const counts = Object.fromEntries(Object.entries(faults).map(([name, all]) => [name, all.length]));
const unclean = JSON.parse(readFileSync(UNCLEAN, "utf8"));
if (process.argv.includes("--lower")) {
  writeFileSync(UNCLEAN, `${JSON.stringify(lowered(unclean, counts), null, 2)}\n`);
} else {
  const wrong = differences(unclean, counts);
  for (const { name, why } of wrong) {
    console.error(`${name}: ${why}`);
    for (const { line, message } of faults[name] ?? []) console.error(`  ${line}: ${message}`);
  }
  const left = Object.values(unclean).reduce((sum, count) => sum + count, 0);
  console.log(`prose: ${left} faults in ${Object.keys(unclean).length} files are still allowed`);
  process.exitCode = wrong.length ? 1 : 0;
}
