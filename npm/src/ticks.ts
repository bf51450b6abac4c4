/** Running the ticks of a plan, whatever the callbacks do. */

/** How many ticks a callback that keeps throwing can leave behind before they are dropped. @internal */
export const OWED_MAX = 240;

/** The clock of pages, workers and node. It is looked up at each call, so that tests may replace it. @internal */
export function performanceNow(): number {
  return performance.now();
}
