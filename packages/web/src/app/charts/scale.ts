/** A round number of at least the largest value, for the top of an axis. */
export function roundTop(largest: number): number {
  if (largest <= 4) return 4;
  const magnitude = 10 ** Math.floor(Math.log10(largest));
  const top = [1, 2, 4, 5, 10].find((factor) => factor * magnitude >= largest) ?? 10;
  return top * magnitude;
}

/** Which of the labels below a chart are written, so that they do not overlap. */
export function everyNth(count: number, most: number): number {
  return Math.max(1, Math.ceil(count / most));
}
