/** What could not be gathered, and why, in words for whoever reads the report. */
export interface Missing {
  missing: string;
}

/** In place of what the Sortie that gathered the rest did not know of. */
export const OLDER: Missing = { missing: 'Not collected: the file was saved by an older version of Sortie.' };

export function isMissing(value: unknown): value is Missing {
  return typeof value === 'object' && value !== null && 'missing' in value;
}

/** Of things that were asked for one by one, those that are there. */
export const thoseThere = <Value>(values: readonly Value[]) =>
  values.filter((value): value is Exclude<Value, Missing> => !isMissing(value));
