// Style sheets keep stylelint's rules (stylelint.config.js) and stay short. Run: node tests/styles/check.js

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import stylelint from "stylelint";

const FOLDER = "static/css";
const MOST_LINES = 500;
const MOST_IN_ALL = 4750;

const wrong = [];
const { results } = await stylelint.lint({ files: `${FOLDER}/*.css` });
for (const { source, warnings, parseErrors } of results) {
  for (const { line, text } of [...warnings, ...parseErrors]) wrong.push(`${source}:${line}: ${text}`);
}

let inAll = 0;
for (const sheet of readdirSync(FOLDER)) {
  const lines = readFileSync(join(FOLDER, sheet), "utf8").split("\n").length - 1;
  if (lines > MOST_LINES) wrong.push(`${FOLDER}/${sheet}: ${lines} lines, ${MOST_LINES} are allowed`);
  inAll += lines;
}
if (inAll > MOST_IN_ALL) wrong.push(`${FOLDER}: ${inAll} lines, ${MOST_IN_ALL} are allowed`);

for (const sentence of wrong) process.stdout.write(`${sentence}\n`);
process.exitCode = wrong.length ? 1 : 0;
