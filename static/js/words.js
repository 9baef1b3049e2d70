// What scripts say, in the language of the page. The words are written in English; a page in another
// language has a table of what is said for them (annotation/templatetags/languages.py).

const CATEGORIES = ["zero", "one", "two", "few", "many", "other"]; // as plural forms stand in a catalogue

const page = globalThis.document;
const table = JSON.parse(page?.getElementById("words")?.textContent ?? "{}");
const language = page?.documentElement.lang || "en";

function filled(words, values) {
  return words.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/**
 * The words in the language of the page.
 *
 * @param {string} words  with places for values, such as {number}
 */
export function say(words, values = {}) {
  return filled(table[words] ?? words, values);
}

/** The same, of as many as `count`. @param {string} one  @param {string} more */
export function sayCount(one, more, count, values = {}) {
  const forms = table[one] ?? [one, more];
  const rules = new Intl.PluralRules(language);
  const used = CATEGORIES.filter((each) => rules.resolvedOptions().pluralCategories.includes(each));
  const form = Math.min(used.indexOf(rules.select(count)), forms.length - 1);
  return filled(forms[form], { count, ...values });
}
