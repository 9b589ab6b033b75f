/** A document store with query operators, like document databases have them. */

export type Stored = Readonly<Record<string, string | number>>;

const LONGEST_PATTERN = 100;

type Test = (value: string | number | undefined, wanted: unknown) => boolean;

const isIn: Test = (value, wanted) => Array.isArray(wanted) && wanted.includes(value);

const OPERATORS: Record<string, Test> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => typeof value === typeof wanted && (value as string) > (wanted as string),
  $gte: (value, wanted) => typeof value === typeof wanted && (value as string) >= (wanted as string),
  $lt: (value, wanted) => typeof value === typeof wanted && (value as string) < (wanted as string),
  $lte: (value, wanted) => typeof value === typeof wanted && (value as string) <= (wanted as string),
  $in: isIn,
  $nin: (value, wanted) => !isIn(value, wanted),
  $exists: (value, wanted) => (value !== undefined) === Boolean(wanted),
  // Values are short, which bounds the backtracking of any pattern.
  $regex: (value, wanted) => new RegExp(String(wanted).slice(0, LONGEST_PATTERN)).test(String(value ?? '')),
};

function fits(value: string | number | undefined, condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return value === condition;
  return Object.entries(condition).every(([operator, wanted]) => {
    const test = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (!test) throw new Error(`unknown operator: ${operator}`);
    return test(value, wanted);
  });
}

/** Throws for an unknown operator. */
export function find<Document extends Stored>(
  documents: readonly Document[],
  filter: Readonly<Record<string, unknown>>,
): Document[] {
  return documents.filter((document) =>
    Object.entries(filter).every(([name, condition]) => fits(document[name], condition)),
  );
}

/** Parses `pin[$ne]=1` into an object, as many frameworks do. */
export function readNested(form: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, value] of form) {
    const [, name = key, operator, list] = /^(\w+)\[(\$\w+)\](\[\])?$/.exec(key) ?? [];
    fields[name] = operator === undefined ? value : { [operator]: list === undefined ? value : [value] };
  }
  return fields;
}
