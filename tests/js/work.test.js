import assert from "node:assert/strict";
import test from "node:test";

import { news } from "../../static/js/work.js";

const at = (percent) => ({ at: "/", percent });

test("each quarter is said once, and nothing between", () => {
  const seen = [3, 24, 25, 26, 49, 51, 76, 99];
  const said = seen.map((percent, i) => news(i ? at(seen[i - 1]) : null, at(percent)));
  assert.deepEqual(said, ["", "", "quarter", "", "", "quarter", "quarter", ""]);
});

test("the end is said of work that was seen running", () => {
  assert.equal(news(at(10), null), "end");
  assert.equal(news(null, null), "");
});

test("work that begins again says nothing", () => {
  assert.equal(news(at(90), at(2)), "");
});
