// The work is over: nothing of it stays in this browser. A text that is not withdrawn stays in its
// store until it is handed in, which forgets it there (writing-finish.js).

import { openStore } from "./recorder/store.js";
import { forgetTexts, removeTraces } from "./traces.js";

const { forget = "", texts } = document.body.dataset;
const tokens = forget.split(" ").filter(Boolean);

removeTraces(tokens, () => [localStorage, sessionStorage]);
if (texts !== undefined) forgetTexts(tokens, await openStore());
