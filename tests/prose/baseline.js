// A list of files that are not yet clean, with numbers of faults that may only fall.

/** Return the files whose number of faults is not allowed, and why. */
export function differences(allowed, counts) {
  const names = new Set([...Object.keys(allowed), ...Object.keys(counts)]);
  return [...names].sort().flatMap((name) => {
    const [most, now] = [allowed[name] ?? 0, counts[name] ?? 0];
    if (now > most) return [{ name, why: `${now} faults, ${most} are allowed` }];
    if (most && !now) return [{ name, why: "is clean: take it from the list (--lower)" }];
    return [];
  });
}

/** Return the list with today's numbers where they are lower; nothing is added. */
export function lowered(allowed, counts) {
  const kept = Object.entries(allowed).map(([name, most]) => [
    name,
    Math.min(most, counts[name] ?? 0),
  ]);
  return Object.fromEntries(kept.filter(([, most]) => most > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}
