// The modules of a page that asks about an item. Production serves them as one file (npm run bundle).

// The keyboard first: it waits for nothing, while saving waits for the name of the tab.
import "./slider.js";
import "./questions.js";
import "./choices.js";
import "./keys.js";
import "./texts.js";
import "./background.js";
import "./definitions.js";
import "./switch.js";
import "./disclosure.js";
import "./saving.js";
import "./visiting.js";
import "./renewing.js";
import "./filling.js"; // of a trial
