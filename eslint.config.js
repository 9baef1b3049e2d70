// What the browser runs as it is written: there is no build step that would find these.
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["static/vendor/", "var/", "build/", ".venv/", ".venv-bench/", "node_modules/", "test-results/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      eqeqeq: "error",
      "prefer-const": "error",
      "no-var": "error",
      "no-eval": "error", // the content security policy forbids it anyway
      "no-implied-eval": "error",
      "no-implicit-globals": "error",
      "no-shadow": "error",
      curly: ["error", "multi-line"],
    },
  },
  {
    files: ["static/js/**/*.js"],
    languageOptions: { sourceType: "module", globals: { ...globals.browser, htmx: "readonly" } },
  },
  {
    files: ["tests/**/*.js", "eslint.config.js"],
    languageOptions: { sourceType: "module", globals: { ...globals.node, ...globals.browser } },
  },
];
