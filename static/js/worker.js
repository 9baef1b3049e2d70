// The modules of every page of a worker. Production serves them as one file (npm run bundle).

import "./dialog.js";
import "./copy.js";
import "./moments.js";
import "./overflow.js";
