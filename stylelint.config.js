// Style sheets take sizes of type, colours, spaces and radii from tokens.css. What does not yet is
// counted in tests/styles/exceptions.json, which only shrinks (tests/styles/check.js).

const SPACED = "/^(margin|padding|gap|row-gap|column-gap|scroll-margin|scroll-padding)/";
const OWN = "/^(?!--)/"; // properties, not tokens

export default {
  rules: {
    "declaration-property-value-allowed-list": {
      "font-size": [/^var\(--text-(s|m|l|xl|2xl)\)$/, "inherit"],
      "/^border(-[a-z]+)*-radius$/": [/^((var\(--radius-(s|m|l|round)\)|50%|0|inherit)\s*)+$/],
    },
    "declaration-property-value-disallowed-list": {
      [OWN]: [/#[0-9a-f]{3}/i, /\b(rgb|hsl|oklch|lab)a?\(/],
      font: [/\d(px|rem|em|pt)/],
    },
    "declaration-property-unit-disallowed-list": { [SPACED]: ["rem", "px", "pt"] },
    "color-named": "never",
    "block-no-empty": true,
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
    { files: ["**/tokens.css"], rules: { "declaration-property-value-disallowed-list": null } },
  ],
};
