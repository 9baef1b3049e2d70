// A plain form of a worker's page, numbered when it is sent.

import "./answered.js";
import "./copying.js";
import { numberForms, numbersOf } from "./numbers.js";

numberForms(numbersOf(document.body.dataset));
