type Value = string | number;

const OPERATORS: Record<string, (value: Value, told: unknown) => boolean> = {
  $eq: (value, told) => value === told,
  $ne: (value, told) => value !== told,
  $gt: (value, told) => value > (told as Value),
  $in: (value, told) => (told as Value[]).includes(value),
  $nin: (value, told) => !(told as Value[]).includes(value),
  $regex: (value, told) => new RegExp(String(told)).test(String(value)),
};

/** Returns whether a value matches a filter, by the rules of document databases. */
function matches(value: Value, filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return value === filter;
  const parts = Object.entries(filter);
  if (!parts.every(([name]) => name.startsWith('$'))) return false;
  return parts.every(([name, told]) => {
    const operator = OPERATORS[name];
    if (!operator) throw new Error(`unknown operator: ${name}`);
    return operator(value, told);
  });
}

const TEAS = [
  { kind: 'green', name: 'Sencha' },
  { kind: 'black', name: 'Assam' },
  { kind: 'oolong', name: 'Tieguanyin' },
];

/** Returns the teas that a filter or a JavaScript condition matches, for labs. */
export function findTeas(query: { kind: unknown } | { where: string }): string[] {
  if ('kind' in query) return TEAS.filter(({ kind }) => matches(kind, query.kind)).map(({ name }) => name);
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  return TEAS.filter((tea) => runInNewContext(`(function () { return ${query.where} }).call(tea)`, { tea })).map(
    ({ name }) => name,
  );
}

const MEMBERS = [
  { email: 'alice@shop.test', password: '7n2k' },
  { email: 'bob@shop.test', password: 'x81m' },
];

/** Returns whether a filter matches a member, for labs of logins. */
export const matchesMember = (filter: Record<'email' | 'password', unknown>): boolean =>
  MEMBERS.some(({ email, password }) => matches(email, filter.email) && matches(password, filter.password));
