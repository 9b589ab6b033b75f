import type { Decoy } from '../flaw.ts';

const decoy = (
  id: string,
  looksLike: Decoy['looksLike'],
  [path, parameter]: [string, string?],
  title: string,
): Decoy => ({
  id,
  looksLike,
  method: 'GET',
  path,
  parameter: parameter ?? '',
  title,
});

/** Pages that look vulnerable but are not. */
export const decoys: readonly Decoy[] = [
  decoy(
    'quoted-errors',
    ['SQLI-ERR', 'STACK', 'LFI'],
    ['/help/errors', 'topic'],
    'A help page that quotes errors of databases, a trace and a file of passwords, whatever it is asked',
  ),
  decoy(
    'quoted-error-with-echo',
    ['SQLI-ERR', 'XSS-R'],
    ['/help/search', 'q'],
    'A search that echoes its words as text, above a quoted error of a database',
  ),
  decoy(
    'followed-links',
    ['SSRF', 'CMDI-BLIND', 'RFI'],
    ['/watched', 'link'],
    'A page whose guard opens every address that passes by, wherever it stands',
  ),
  decoy('slow-page', ['SQLI-TIME', 'CMDI-BLIND'], ['/slow', 'item'], 'A page that always takes its time'),
  decoy('uneven-page', ['SQLI-TIME', 'CMDI-BLIND'], ['/uneven', 'item'], 'A page that is sometimes slow, by chance'),
  decoy('echo-as-text', ['XSS-R', 'SSTI', 'CMDI-OUT'], ['/mirror', 'text'], 'A page that echoes as text'),
  decoy(
    'echo-as-plain-text',
    ['XSS-R', 'HTMLI'],
    ['/plain', 'text'],
    'An echo as it came, but as plain text that may not be sniffed',
  ),
  decoy('echo-as-json', ['XSS-R', 'SSTI'], ['/api/mirror', 'text'], 'An echo in JSON, sent as JSON'),
  decoy(
    'catch-all',
    ['FILES', 'DIRLIST', 'LFI'],
    ['/anything/{id}', 'id'],
    'Every path below answers 200 with the same page',
  ),
  decoy('changing-page', ['SQLI-BOOL', 'NOSQL-OP'], ['/news', 'about'], 'A page that is another at each visit'),
  decoy('fortune', ['SQLI-BOOL', 'NOSQL-JS'], ['/fortune', 'word'], 'A page with one of two answers, by chance'),
  decoy(
    'firewall',
    ['SQLI-BOOL', 'LFI', 'XSS-R'],
    ['/guarded', 'code'],
    'Values that look like an attack are refused with 403',
  ),
  decoy(
    'fragile',
    ['SQLI-ERR', 'SSTI', 'CMDI-OUT'],
    ['/fragile', 'code'],
    'Any odd character is answered with the same 500',
  ),
  decoy(
    'number-read-from-text',
    ['SQLI-BOOL'],
    ['/part', 'number'],
    'The number is read from the beginning of the value, and the rest is ignored',
  ),
  decoy(
    'warning-before-leaving',
    ['REDIR'],
    ['/warning', 'to'],
    'A page that names the address and asks whether to go there',
  ),
  decoy(
    'wildcard',
    ['LDAPI', 'SQLI-BOOL'],
    ['/lookup', 'name'],
    'A search in which * stands for anything, as the page says',
  ),
  {
    ...decoy(
      'filter-before-text',
      ['XSS-R', 'SQLI-BOOL', 'LFI', 'CMDI-OUT'],
      ['/label', 'text'],
      'A filter refuses some signs and takes words out, and what is left is shown as text',
    ),
    room: 'workshop',
  },
  {
    ...decoy(
      'length-of-the-profile',
      ['SQLI-2ND'],
      ['/attic/profile', 'favourite'],
      'Another page tells how many letters and equals signs the stored value has, and asks no database',
    ),
    method: 'POST',
    room: 'workshop',
  },
  decoy(
    'open-on-purpose',
    ['CORS', 'UNAUTH', 'EXCESS'],
    ['/api/public/hours'],
    'Opening hours that every site may read, without credentials',
  ),
  decoy(
    'published-example',
    ['SECRETS', 'DEFCREDS'],
    ['/help/example'],
    'Documentation with a key and a password that nothing accepts',
  ),
  decoy('length-in-answer', ['SQLI-BOOL', 'NOSQL-OP'], ['/length', 'text'], 'A page that tells how long the value is'),
  decoy(
    'redirect-within',
    ['REDIR', 'CRLF'],
    ['/within', 'next'],
    'A redirect that keeps the address as a parameter of a page of the shop',
  ),
  decoy(
    'verbs-not-understood',
    ['FORBID-BYP'],
    ['/admin/archive'],
    'A page for the staff that answers 200 to every other verb, with the same text as everything below it',
  ),
  {
    id: 'name-of-ended-token',
    looksLike: ['LOGOUT'],
    method: 'POST',
    path: '/api/waiters/session',
    parameter: '',
    title: 'A token that has ended still returns 200, with the name of its member and nothing else',
  },
  {
    id: 'voucher-used-already',
    looksLike: ['LOGIC', 'RATE-LIMIT'],
    method: 'POST',
    path: '/api/waiters/voucher',
    parameter: '/voucher',
    title:
      'A voucher is answered with 200 each time, but the order is reduced once, and a limit answers like a wrong code',
  },
  {
    id: 'role-in-answer',
    looksLike: ['MASS'],
    method: 'POST',
    path: '/api/waiters/join',
    parameter: '/role',
    title: 'A registration that repeats the role in its answer, and does not keep it',
  },
];
