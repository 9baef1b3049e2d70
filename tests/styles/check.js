// Style sheets keep stylelint's rules (stylelint.config.js) and stay short. Run: node tests/styles/check.js
//
// exceptions.json counts by sheet and rule what older sheets may still do, and the lines of sheets
// that are too long. Counts only fall: `--lower` writes lower ones.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";

import stylelint from "stylelint";

const FOLDER = "static/css";
const MOST_LINES = 700;
const MOST_IN_ALL = 6000;
const EXCEPTIONS = "tests/styles/exceptions.json";
const LINES = "lines";

/** Faults by sheet and rule, each with its sentences. */
async function faults() {
  const found = {};
  const { results } = await stylelint.lint({ files: `${FOLDER}/*.css` });
  for (const { source, warnings, parseErrors } of results) {
    for (const { rule, line, text } of [...warnings, ...parseErrors]) {
      const sheet = basename(source);
      ((found[sheet] ??= {})[rule] ??= []).push(`${FOLDER}/${sheet}:${line}: ${text}`);
    }
  }
  return found;
}

const linesOf = (sheet) => readFileSync(join(FOLDER, sheet), "utf8").split("\n").length - 1;

function counts(found) {
  const counted = {};
  for (const [sheet, rules] of Object.entries(found)) {
    counted[sheet] = Object.fromEntries(Object.entries(rules).map(([rule, said]) => [rule, said.length]));
  }
  for (const sheet of readdirSync(FOLDER)) {
    const lines = linesOf(sheet);
    if (lines > MOST_LINES) (counted[sheet] ??= {})[LINES] = lines;
  }
  return counted;
}

/** The smaller count of each, and none that is not needed. */
function lowered(allowed, counted) {
  const kept = {};
  for (const sheet of Object.keys(allowed).sort()) {
    for (const rule of Object.keys(allowed[sheet]).sort()) {
      const count = Math.min(allowed[sheet][rule], counted[sheet]?.[rule] ?? 0);
      if (count) (kept[sheet] ??= {})[rule] = count;
    }
  }
  return kept;
}

const allowed = JSON.parse(readFileSync(EXCEPTIONS, "utf8"));
const found = await faults();
const counted = counts(found);
if (process.argv.includes("--lower")) {
  writeFileSync(EXCEPTIONS, `${JSON.stringify(lowered(allowed, counted), null, 2)}\n`);
}

const wrong = [];
for (const [sheet, rules] of Object.entries(counted)) {
  for (const [rule, count] of Object.entries(rules)) {
    if (count <= (allowed[sheet]?.[rule] ?? 0)) continue;
    wrong.push(...(found[sheet]?.[rule] ?? [`${FOLDER}/${sheet}: ${count} lines, ${MOST_LINES} are allowed`]));
  }
}
for (const [sheet, rules] of Object.entries(allowed)) {
  for (const [rule, count] of Object.entries(rules)) {
    if ((counted[sheet]?.[rule] ?? 0) < count && rule !== LINES) {
      wrong.push(`${EXCEPTIONS}: ${sheet} needs fewer exceptions of ${rule}; run with --lower`);
    }
  }
}
const inAll = readdirSync(FOLDER).reduce((sum, sheet) => sum + linesOf(sheet), 0);
if (inAll > MOST_IN_ALL) wrong.push(`${FOLDER}: ${inAll} lines, ${MOST_IN_ALL} are allowed`);
for (const sentence of wrong) process.stdout.write(`${sentence}\n`);
process.exitCode = wrong.length ? 1 : 0;
