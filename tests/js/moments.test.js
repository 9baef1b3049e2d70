import assert from "node:assert/strict";
import test from "node:test";

import { inZone, partsOf, zoneName } from "../../static/js/moments.js";

const NIGHT = new Date("2026-03-02T03:30:15Z");

test("a moment is shown in another zone, on another day", () => {
  const shown = (words, locale = "en-GB") => inZone(NIGHT, words, locale, "America/New_York");
  assert.equal(shown("2 Mar, 03:30"), "1 Mar, 22:30");
  assert.equal(shown("2 Mar 2026, 03:30"), "1 Mar 2026, 22:30");
  assert.equal(shown("2 March 2026"), "1 March 2026");
  assert.equal(shown("2 Mar 2026, 03:30:15"), "1 Mar 2026, 22:30:15");
  assert.equal(shown("03:30"), "22:30");
  assert.match(shown("2. März 2026, 03:30", "de"), /^1\. März 2026.*22:30$/);
});

test("in the zone of the server it stays as it is written", () => {
  for (const words of ["2 Mar, 03:30", "2 Mar 2026, 03:30", "2 March 2026", "03:30"]) {
    assert.equal(inZone(NIGHT, words, "en-GB", "UTC"), words);
  }
});

test("midnight is not written as 24:00", () => {
  assert.equal(inZone(new Date("2026-03-02T00:00:00Z"), "00:00", "en-GB", "UTC"), "00:00");
});

test("only parts that are written are shown", () => {
  assert.deepEqual(Object.keys(partsOf("2 Mar")), ["day", "month"]);
  assert.deepEqual(Object.keys(partsOf("2 Mar 2026")), ["day", "month", "year"]);
});

test("a zone is named with its distance to UTC", () => {
  assert.equal(zoneName("America/New_York", NIGHT), "America/New York (UTC-05:00)");
  assert.equal(zoneName("America/New_York", new Date("2026-07-01")), "America/New York (UTC-04:00)");
  assert.equal(zoneName("UTC", NIGHT), "UTC");
});
