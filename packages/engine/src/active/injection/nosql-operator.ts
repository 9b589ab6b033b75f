import { at, definePointCheck, type PlannedRequest, type Point } from '../../active-check.ts';
import { judgeTwoSided } from '../../oracle/two-sided.ts';
import { mayMean } from '../../triage.ts';
import { findTeas } from '../lab-mongo.ts';
import { isReading } from '../sql.ts';

/** How an object is sent in the place of a text. */
type Variant = 'json' | 'brackets';

const LABELS = {
  plain: 'word that nobody has',
  true1: 'other than that word',
  false1: 'equal to that word',
  true2: 'not among that word',
  false2: 'among that word',
  broken: 'operator that does not exist',
} as const;

const wayOf = ({ parameter: { location } }: Point): Variant =>
  location === 'json' || location === 'graphql' ? 'json' : 'brackets';

/** The value of the point as an operator of document databases. */
function compared(point: Point, label: string, operator: string, told: string | [string]): PlannedRequest {
  const { item, parameter } = point;
  // What lets somebody in must not do so for the requests that follow.
  const how = item.method !== 'GET' && item.seenAs === null ? { isNewVisitor: true } : {};
  if (wayOf(point) === 'json') return at(point, label, JSON.stringify({ [operator]: told }), { isRaw: true, ...how });
  const name = `${encodeURIComponent(parameter.name)}[${operator}]${Array.isArray(told) ? '[]' : ''}`;
  return at(point, label, String(told), { name, ...how });
}

export default definePointCheck<Variant>({
  id: 'nosql-operator',
  title: 'A parameter changes the condition of a database query by an operator',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  why: 'The site takes an object where it expects a text and gives it to the database, which understands it as an operator. "Not equal to this" finds every record, and every password fits.',
  fix: 'Check that the value is a text or a number before it is used in a query, with a schema for the whole request. Switch off the reading of objects from addresses and forms.',
  risk: 'harmless',
  locations: ['query', 'form', 'json', 'graphql'],
  // An operator in what updates or deletes would fit records of other people.
  appliesTo: (point) => isReading(point) || point.item.method === 'POST',
  // What nobody may find, as a password, changes nothing on its own.
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
