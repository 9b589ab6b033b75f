import { judgeTwoSided } from '../../../oracle/two-sided.ts';
import { at, definePointCheck, type PlannedRequest, type Point } from '../../define-active-check.ts';
import { findTeas } from '../../labs/mongo.ts';
import { isReading } from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** How an object is sent in place of a string. */
type Variant = 'json' | 'brackets';

const LABELS = {
  plain: 'random word',
  true1: 'operator: not equal to the random word',
  false1: 'operator: equal to the random word',
  true2: 'operator: not in a list of the random word',
  false2: 'operator: in a list of the random word',
  broken: 'operator that does not exist',
} as const;

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

export default definePointCheck<Variant>({
  id: 'nosql-injection-operator',
  provesInterpreter: true,
  title: 'NoSQL injection (query operators)',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
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
  variants: ['json', 'brackets'],
  probe: async (point) => [wayOf(point)],
  maxRequests: 12,
  proof: {
    plan: (point, _variant, { word }) => [
      at(point, LABELS.plain, word),
      compared(point, LABELS.true1, '$ne', word),
      compared(point, LABELS.false1, '$eq', word),
      compared(point, LABELS.true2, '$nin', [word]),
      compared(point, LABELS.false2, '$in', [word]),
      compared(point, LABELS.broken, `$${word}`, word),
    ],
    judge(answers) {
      const { plain, true1, true2, false1, false2, broken } = LABELS;
      return judgeTwoSided(answers, {
        trues: [true1, true2],
        falses: [plain, false1, false2],
        broken: [broken],
        harmless: [plain],
      });
    },
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
