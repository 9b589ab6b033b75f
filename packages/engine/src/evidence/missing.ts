/** Evidence that could not be collected; `missing` gives the reason to readers of the report. */
export interface Missing {
  missing: string;
}

/** Stands in for evidence that the version which saved the file did not collect. */
export const OLDER: Missing = { missing: 'Not collected: the file was saved by an older version of Sortie.' };

/** Returns whether evidence is missing: its check then has no result. */
export function isMissing(value: unknown): value is Missing {
  return typeof value === 'object' && value !== null && 'missing' in value;
}

/** Returns the values that are not missing. */
export const thoseThere = <Value>(values: readonly Value[]) =>
  values.filter((value): value is Exclude<Value, Missing> => !isMissing(value));
