const PEOPLE = [
  { objectClass: 'person', uid: 'alice', mail: 'alice@shop.test' },
  { objectClass: 'person', uid: 'bob', mail: 'bob@shop.test' },
  { objectClass: 'device', uid: 'printer', mail: '' },
];
type Entry = (typeof PEOPLE)[number];
type Filter = (entry: Entry) => boolean;

/** Parses an LDAP filter (RFC 4515) for labs. Throws if it is invalid. */
function readFilter(text: string): Filter {
  let position = 0;
  const expect = (character: string) => {
    if (text[position++] !== character) throw new Error('bad search filter');
  };
  function list(): Filter[] {
    const filters: Filter[] = [];
    while (text[position] === '(') filters.push(one());
    return filters;
  }
  function compare(): Filter {
    const [item = ''] = /^[^()]*/.exec(text.slice(position)) ?? [];
    position += item.length;
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(item) ?? [];
    if (name === '') throw new Error('bad search filter');
    const parts = value.split('*').map((part) => unescaped(part).replace(/[^\w]/g, '\\$&'));
    const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
    return (entry) => pattern.test(entry[name as keyof Entry] ?? '');
  }
  function one(): Filter {
    expect('(');
    const kind = text[position] ?? '';
    if ('&|!'.includes(kind)) position++;
    const filters = '&|!'.includes(kind) ? list() : [compare()];
    expect(')');
    if (kind === '|') return (entry) => filters.some((filter) => filter(entry));
    if (kind === '!') return (entry) => !filters.some((filter) => filter(entry));
    return (entry) => filters.every((filter) => filter(entry));
  }
  const filter = one();
  if (position !== text.length) throw new Error('bad search filter');
  return filter;
}

const unescaped = (text: string) =>
  text.replace(/\\([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export const escapeForFilter = (value: string) =>
  value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

export function findPeople(filter: string): string[] {
  return PEOPLE.filter(readFilter(filter)).map(({ uid }) => uid);
}
