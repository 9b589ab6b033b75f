import { createHash } from 'node:crypto';
import { type Answer, html, json, type Routes, readJson, type Visit } from '../answer.ts';
import { evaluate } from '../expression/evaluate.ts';
import { escapeHtml, page } from '../page.ts';
import { type Services, sleepFor } from '../services.ts';
import { find, readNested, type Stored } from './store.ts';

const guests = [
  { name: 'carol', town: 'Lowfield' },
  { name: 'dave', town: 'Highmoor' },
  { name: 'erin', town: 'Lowfield' },
];
const members = [
  { member: 'carol', pin: '4711' },
  { member: 'dave', pin: '9035' },
];

/** The flaw: NoSQL injection, because the value may be an operator object. */
const asItCame = (value: unknown) => value;
const asText = (value: unknown) => (typeof value === 'string' ? value : '');

function answerWith(look: () => Stored[]): Answer {
  try {
    return json({ found: look() });
  } catch (error) {
    return json({ error: error instanceof Error ? error.message : 'bad query' }, 400);
  }
}

function enter(visit: Visit, read: (value: unknown) => unknown): Answer {
  const { member, pin } = readNested(visit.form);
  let found: Stored[] = [];
  try {
    found = find(members, { member: asText(member), pin: read(pin) });
  } catch {
    // An unknown operator matches nobody.
  }
  const [first] = found;
  if (!first) return html(page(visit, { title: 'The club', content: '<p class="problem">No.</p>' }), 401);
  return html(page(visit, { title: 'The club', content: `<p>Come in, ${escapeHtml(first.member)}.</p>` }));
}

function logIn(visit: Visit, read: (value: unknown) => unknown): Answer {
  const { member, password } = readJson(visit) ?? {};
  try {
    const [found] = find(members, { member: read(member), pin: read(password) });
    if (found) return json({ token: createHash('sha256').update(found.member).digest('hex') });
  } catch {
    // An unknown operator matches nobody.
  }
  return json({ error: 'no such member' }, 401);
}

export function nosqlRoutes(services: Services): Routes {
  const { idOf } = services;
  const lockers = [
    { number: Number(idOf('locker', '1')), size: 'large', holder: 'carol' },
    { number: Number(idOf('locker', '2')), size: 'small', holder: 'dave' },
  ];
  const parcels = [
    { parcel: idOf('parcel', 'P-100'), state: 'on its way' },
    { parcel: idOf('parcel', 'P-101'), state: 'waits for collection' },
  ];
  const search = (read: typeof asItCame) => (visit: Visit) =>
    answerWith(() => find(guests, { name: read(readJson(visit)?.name) }));
  const list = (read: typeof asItCame) => (visit: Visit) => {
    const { size = 'large' } = readNested(visit.query);
    return answerWith(() => find(lockers, { size: read(size) }));
  };
  const track = (visit: Visit, matches: (parcel: Stored) => boolean): Answer => {
    try {
      const found = parcels.filter(matches);
      const content = found
        .map(({ parcel, state }) => `<p>${escapeHtml(parcel)} is ${escapeHtml(state)}.</p>`)
        .join('');
      return html(page(visit, { title: 'Your parcel', content: content || '<p>We have lost it.</p>' }));
    } catch {
      return html(page(visit, { title: 'Your parcel', content: '<p class="problem">Try again later.</p>' }), 500);
    }
  };
  const wanted = ({ query }: Visit) => query.get('parcel') ?? '';

  return {
    'POST /api/guests/search': search(asItCame),
    'POST /api/guests/find': search(asText),
    'GET /api/lockers': list(asItCame),
    'GET /api/closets': list(asText),
    'POST /api/club/session': (visit) => logIn(visit, asItCame),
    'POST /api/club/sign-in': (visit) => logIn(visit, asText),
    'POST /club/login': (visit) => enter(visit, asItCame),
    'POST /club/sign-in': (visit) => enter(visit, asText),
    /** The flaw: JavaScript injection, because a quote ends the string. */
    'GET /tracking': async (visit) => {
      let seconds = 0;
      const sleep = (milliseconds: unknown) => {
        seconds += (Number(milliseconds) || 0) / 1_000;
        return true;
      };
      const script = `this.parcel == '${wanted(visit)}'`;
      const answer = track(visit, (parcel) =>
        Boolean(evaluate(script, { names: { this: parcel }, functions: { sleep } })),
      );
      await sleepFor(services, seconds);
      return answer;
    },
    'GET /parcel': (visit) => track(visit, ({ parcel }) => parcel === wanted(visit)),
  };
}
