// Style sheets take colours and all sizes from tokens.css: type, spaces, radii, lines, columns.

const LENGTHS = ["rem", "px", "pt", "pc", "cm", "mm", "in"];
const COLOURS = [/#[0-9a-f]{3}/i, /\b(rgb|hsl|oklch|lab)a?\(/];
const OWN = "/^(?!--)/"; // properties, not tokens

export default {
  rules: {
    "declaration-property-value-allowed-list": {
      "font-size": [/^var\(--text-(s|m|l|xl|2xl)\)$/, "inherit"],
      "/^border(-[a-z]+)*-radius$/": [/^((var\(--radius-(s|m|l|round)\)|50%|0|inherit)\s*)+$/],
    },
    "declaration-property-value-disallowed-list": {
      [OWN]: COLOURS,
      font: [/\d(px|rem|em|pt)/],
    },
    "declaration-property-unit-disallowed-list": { "/./": LENGTHS },
    "color-named": "never",
    "block-no-empty": true,
    "declaration-block-no-duplicate-custom-properties": true,
    "custom-property-no-missing-var-function": true,
    "declaration-block-no-duplicate-properties": [true, { ignore: ["consecutive-duplicates-with-different-values"] }],
    "declaration-block-no-redundant-longhand-properties": true,
    "declaration-block-no-shorthand-property-overrides": true,
    "font-family-no-duplicate-names": true,
    "function-calc-no-unspaced-operator": true,
    "length-zero-no-unit": true,
    "named-grid-areas-no-invalid": true,
    "no-duplicate-at-import-rules": true,
    "no-duplicate-selectors": true,
    "no-invalid-double-slash-comments": true,
    "no-irregular-whitespace": true,
    "property-no-unknown": true,
    "selector-pseudo-class-no-unknown": true,
    "selector-type-no-unknown": true,
    "shorthand-property-no-redundant-values": true,
    "unit-no-unknown": true,
  },
  overrides: [
    {
      files: ["**/tokens.css"],
      rules: {
        "declaration-property-value-disallowed-list": null,
        "declaration-property-unit-disallowed-list": null,
      },
    },
    {
      // A drawing in a file of its own has no tokens: its letters and lines are in its own units.
      files: ["**/plots.css"],
      rules: {
        "declaration-property-value-allowed-list": null,
        "declaration-property-value-disallowed-list": { [OWN]: COLOURS },
        "declaration-property-unit-disallowed-list": { "/^(?!(font|font-size|stroke-width)$)/": LENGTHS },
      },
    },
  ],
};
