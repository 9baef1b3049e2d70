// Numbers what a page sends: of two requests the one with the higher number was sent later, in
// whatever order they arrive. The server says where to begin, above all that it knows; from there
// on it is milliseconds, so that what another tab or device sends later is higher as well.

/**
 * @param {{start: number, now?: () => number}} options  `start` comes with the page; `now` may
 *   be wrong and may be set back meanwhile
 */
export function createNumbers({ start, now = Date.now }) {
  const opened = now();
  let last = start;
  return {
    /** A number above all before. */
    next() {
      last = Math.max(last + 1, Math.round(start + now() - opened));
      return last;
    },
    /** The highest number that is known here. */
    get last() {
      return last;
    },
    /** Go on above a number that was given elsewhere. */
    goBeyond(number = 0) {
      last = Math.max(last, number);
    },
  };
}

/** Number a form whenever it is sent: a field of its own for those without a script. */
export function numberForms(numbers) {
  document.addEventListener(
    "submit",
    ({ target }) => {
      const field = target.elements.namedItem("request_number");
      if (!field) return;
      numbers.goBeyond(Number(field.value)); // a page that was loaded again knows what was taken since
      field.value = numbers.next();
    },
    { capture: true },
  );
}

/** The numbers of this page. */
export function numbersOf({ number }) {
  return createNumbers({ start: Number(number) || Date.now() });
}
