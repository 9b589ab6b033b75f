import { judgeTwoSided } from '../../../oracle/two-sided.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type PlannedRequest } from '../../experiment.ts';
import { findTeas } from '../../labs/mongo.ts';
import { isReading } from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** How an object is sent in place of a string. */
type Variant = 'json' | 'brackets';

const wayOf = ({ parameter: { location } }: Point): Variant =>
  location === 'json' || location === 'graphql' ? 'json' : 'brackets';

/** Sends the value as an operator of a document database. */
function compared(point: Point, label: string, operator: string, told: string | [string]): PlannedRequest {
  const { item, parameter } = point;
  // Uses a new visitor, because a bypassed login must not carry over to the requests that follow.
  const how = item.method !== 'GET' && item.seenAs === null ? { session: { isNew: true } } : {};
  if (wayOf(point) === 'json') return at(point, label, JSON.stringify({ [operator]: told }), { isRaw: true, ...how });
  const name = `${encodeURIComponent(parameter.name)}[${operator}]${Array.isArray(told) ? '[]' : ''}`;
  return at(point, label, String(told), { name, ...how });
}

export default definePointCheck({
  id: 'nosql-injection-operator',
  provesInterpreter: true,
  title: 'NoSQL injection (query operators)',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads documents that the filter should exclude, and can bypass filters and logins that use it.',
  why: 'The application accepts an object where it expects a string, and the database interprets it as a query operator such as $ne. An attacker matches records without knowing their values, for example to log in without a password. Opposite operators changed the response consistently; an unknown operator did not return the same result.',
  fix: 'Validate the request against a schema, so that the value is a string or a number. Disable the parsing of nested objects from query strings and forms, or remove keys that start with $.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/943.html',
  ],
  risk: 'harmless',
  locations: ['query', 'form', 'json', 'graphql'],
  // In an update or delete, an operator could match other users' records.
  appliesTo: (point) => isReading(point) || point.item.method === 'POST',
  // A value that is not looked up on its own, such as a password, changes no response by itself.
  isWorthTrying: (triage, { item }) =>
    triage.isStable && (mayMean(triage, 'operator') || (item.method === 'POST' && !triage.isRead)),
  variants: ['json', 'brackets'] as Variant[],
  probe: async (point) => [wayOf(point)],
  maxRequests: 12,
  proof: {
    plan: (point, _variant, { word }) => ({
      plain: at(point, 'random word', word, { isControl: true }),
      true1: compared(point, 'operator: not equal to the random word', '$ne', word),
      false1: compared(point, 'operator: equal to the random word', '$eq', word),
      true2: compared(point, 'operator: not in a list of the random word', '$nin', [word]),
      false2: compared(point, 'operator: in a list of the random word', '$in', [word]),
      broken: { ...compared(point, 'operator that does not exist', `$${word}`, word), isControl: true },
    }),
    judge: ({ plain, true1, false1, true2, false2, broken }) =>
      judgeTwoSided({
        trues: [true1, true2],
        falses: [plain, false1, false2],
        broken: [broken],
        harmless: [plain],
      }),
  },
  lab() {
    const answer = (kind: unknown) => {
      try {
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(findTeas({ kind })) };
      } catch {
        return { status: 500, body: 'Something went wrong' };
      }
    };
    const read = (value: string): unknown => (value.startsWith('{') ? JSON.parse(value) : value);
    return {
      location: 'json',
      parameter: '/kind',
      value: 'green',
      vulnerable: (value) => answer(read(value)),
      safe: (value) => (typeof read(value) === 'string' ? answer(value) : { status: 400, body: 'kind must be a text' }),
    };
  },
});
