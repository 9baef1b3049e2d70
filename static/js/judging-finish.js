// The modules of the page that submits answers. Production serves them as one file (npm run bundle).

import "./saving.js";
import "./submitting.js";
