/** A seeded generator, so that a failure can be repeated. */
export function generator(seed) {
  let state = seed * 2 + 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let n = 0; n < 10; n++) next();
  const below = (bound) => Math.floor(next() * bound);
  return { next, below, among: (values) => values[below(values.length)] };
}

/** Timestamps in whole microseconds, like those of a browser: a display with noise, missed refreshes and long gaps. */
export function timestamps(random, frames, { start = 0, gaps = true } = {}) {
  const period = random.among([1000 / 60, 1000 / 144, 1000 / 30, 1000 / 59.94, 1000 / 240, 5, 100 / 3]);
  const noise = random.among([0, 0.1, 2]);
  let refresh = start;
  let latest = start;
  return Array.from({ length: frames }, () => {
    refresh += period * (random.below(40) === 0 ? 2 : 1);
    if (gaps && random.below(150) === 0) refresh += random.among([100, 260, 700, 1500, 3_600_000]);
    latest = Math.max(latest, Math.round((refresh + noise * random.next()) * 1e3) / 1e3);
    return latest;
  });
}
