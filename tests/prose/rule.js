// A textlint rule: words that the writing guide rules out (terms.json), outside of code.
import { readFileSync } from "node:fs";

const TERMS = JSON.parse(readFileSync(new URL("terms.json", import.meta.url), "utf8")).map((term) => ({
  say: term.say,
  pattern: pattern(term),
}));

function pattern({ words, not_before: notBefore }) {
  const edges = /^[\w(]/.test(words) && !words.startsWith("(?<=") && !words.startsWith("(?:[");
  const body = edges ? `(?<![\\w-])(?:${words})(?![\\w-])` : words;
  return new RegExp(notBefore ? `${body}(?!${notBefore})` : body, "giu");
}

/** Return the places of ruled-out words in a text: index, words and what to say. */
export function ruledOut(text) {
  return TERMS.flatMap(({ pattern: words, say }) =>
    [...text.matchAll(words)].map((match) => ({ index: match.index, words: match[0], say })),
  );
}

export default function rule(context) {
  const { Syntax, RuleError, report, getSource, locator } = context;
  return {
    [Syntax.Str](node) {
      for (const { index, words, say } of ruledOut(getSource(node))) {
        const message = `“${words.slice(0, 60)}”: say ${say}`;
        report(node, new RuleError(message, { padding: locator.at(index) }));
      }
    },
  };
}
