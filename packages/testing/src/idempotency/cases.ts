/**
 * The idempotency rules as a table: the state of a key, who sends what with it, and the expected result. The
 * expectations derive from the rules alone, so this file must not import the product.
 */

import { isFull } from '../runner/test-size.ts';

export type Kind = 'pentest' | 'scan';

/** The outcome of the first request with the key, if there was one. */
type First = 'none' | 'refused' | 'running' | 'done' | 'failed with the run created' | 'failed with nothing created';

export interface State {
  name: string;
  first: First;
  /** Time since the first request, on the service clock. */
  ageSeconds: number;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const HOLD_SECONDS = 2 * MINUTE;
/** Counted from the creation of a run that was never handed over. */
export const GIVEN_UP_SECONDS = 5 * MINUTE;
/** Tolerance for the seconds between two requests of a test. */
const MARGIN = 5;

export const states: readonly State[] = [
  { name: 'was never used', first: 'none', ageSeconds: 0 },
  { name: 'is being used right now', first: 'running', ageSeconds: 0 },
  {
    name: 'failed a minute ago, with the run created',
    first: 'failed with the run created',
    ageSeconds: HOLD_SECONDS - MINUTE,
  },
  {
    name: 'failed a minute ago, with nothing created',
    first: 'failed with nothing created',
    ageSeconds: HOLD_SECONDS - MINUTE,
  },
  {
    name: 'failed two minutes ago, with the run created',
    first: 'failed with the run created',
    ageSeconds: HOLD_SECONDS + MARGIN,
  },
  {
    name: 'failed two minutes ago, with nothing created',
    first: 'failed with nothing created',
    ageSeconds: HOLD_SECONDS + MARGIN,
  },
  { name: 'has started a run', first: 'done', ageSeconds: 0 },
  { name: 'has started a run 23 hours and 59 minutes ago', first: 'done', ageSeconds: DAY - MINUTE },
  { name: 'has started a run more than 24 hours ago', first: 'done', ageSeconds: DAY + MARGIN },
  {
    name: 'failed more than five minutes ago, with a run created that was given up',
    first: 'failed with the run created',
    ageSeconds: GIVEN_UP_SECONDS + MARGIN,
  },
  {
    name: 'failed with a run created that was given up more than 24 hours ago',
    first: 'failed with the run created',
    ageSeconds: GIVEN_UP_SECONDS + MARGIN + DAY + MARGIN,
  },
  { name: 'was refused', first: 'refused', ageSeconds: 0 },
];

export const senders = [
  'the same API key',
  'another API key of the account',
  'another account',
  'the other start endpoint',
] as const;
type Sender = (typeof senders)[number];

/** What a body refers to: shared by all bodies of a case, and unique to it. */
export interface Subject {
  url: string;
  verificationId: string;
}

const credentials = [
  { name: 'admin', kind: 'FORM_LOGIN', user: 'root', pass: 'c0rrect "h\u00f6rse" \\ \u{1f40e}' },
  { name: 'customer', user: 'someone@example.test', pass: 'battery/staple' },
];

const apiDescription = '{"openapi":"3.0.0","paths":{}}';
const pentest = ({ url, verificationId }: Subject) => ({ targetUrl: url, verificationId, credentials, apiDescription });
const scan = ({ url }: Subject) => ({ url });

const json = (value: object) => JSON.stringify(value);
const backwards = (value: object) => Object.fromEntries(Object.entries(value).reverse());
const spacious = (value: object) => `\r\n ${JSON.stringify(value, null, '\t')}\n\n`;

/** Writes every character of every name and value as an escape sequence. */
function escaped(value: object): string {
  const toEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(
    /"(?:[^"\\]|\\.)*"/g,
    (text) => `"${JSON.parse(text).split('').map(toEscape).join('')}"`,
  );
}

interface Body {
  name: string;
  /** Whether it is equal to the body of the first request, member by member. */
  isSame: boolean;
  write(subject: Subject): string;
  credits: number;
}

const LIGHT = 400;
const STANDARD = 2_000;

const pentestBodies: readonly Body[] = [
  { name: 'the same body', isSame: true, credits: LIGHT, write: (of) => json(pentest(of)) },
  { name: 'its members in another order', isSame: true, credits: LIGHT, write: (of) => json(backwards(pentest(of))) },
  {
    name: "its credentials' members in another order",
    isSame: true,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), credentials: credentials.map(backwards) }),
  },
  { name: 'other white space', isSame: true, credits: LIGHT, write: (of) => spacious(pentest(of)) },
  { name: 'names and values escaped', isSame: true, credits: LIGHT, write: (of) => escaped(pentest(of)) },
  {
    name: 'another value',
    isSame: false,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), targetUrl: `${of.url}other` }),
  },
  {
    name: 'another password',
    isSame: false,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), credentials: [credentials[0], { ...credentials[1], pass: 'other' }] }),
  },
  {
    name: 'another API description',
    isSame: false,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), apiDescription: `${apiDescription} ` }),
  },
  {
    name: 'the default depth written out',
    isSame: false,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), depth: 'LEAD' }),
  },
  {
    name: 'another depth',
    isSame: false,
    credits: STANDARD,
    write: (of) => json({ ...pentest(of), depth: 'STANDARD' }),
  },
  {
    name: 'its credentials in another order',
    isSame: false,
    credits: LIGHT,
    write: (of) => json({ ...pentest(of), credentials: credentials.toReversed() }),
  },
];

const scanBodies: readonly Body[] = [
  { name: 'the same body', isSame: true, credits: 0, write: (of) => json(scan(of)) },
  { name: 'other white space', isSame: true, credits: 0, write: (of) => spacious(scan(of)) },
  { name: 'names and values escaped', isSame: true, credits: 0, write: (of) => escaped(scan(of)) },
  { name: 'another value', isSame: false, credits: 0, write: (of) => json({ url: `${of.url}other` }) },
  {
    name: 'the same page written differently',
    isSame: false,
    credits: 0,
    write: ({ url }) => json({ url: url.replace('https', 'HTTPS') }),
  },
];

const bodiesOf = { pentest: pentestBodies, scan: scanBodies } as const;

/** Returns the body of the first request with a key. */
export function firstBody(kind: Kind, subject: Subject): string {
  return json(kind === 'pentest' ? pentest(subject) : scan(subject));
}

export interface Case {
  number: number;
  state: State;
  /** The kind of the first request. */
  kind: Kind;
  sender: Sender;
  /** The kind of the second request. */
  sentTo: Kind;
  body: Body;
}

const otherKind = (kind: Kind): Kind => (kind === 'pentest' ? 'scan' : 'pentest');

/** `npm test` sends the same body, and every fourth of the others: over the states, each of them several times. */
const isSent = (body: number, state: number) => isFull || body === 0 || (body + state) % 4 === 0;

/** Each body is one of the endpoint that it is sent to. */
export const cases: readonly Case[] = states
  .flatMap((state, stateNumber) =>
    (['pentest', 'scan'] as const).flatMap((kind) =>
      senders.flatMap((sender) => {
        const sentTo = sender === 'the other start endpoint' ? otherKind(kind) : kind;
        const sent = bodiesOf[sentTo].filter((_, number) => isSent(number, stateNumber));
        return sent.map((body) => ({ state, kind, sender, sentTo, body }));
      }),
    ),
  )
  .map((each, number) => ({ number, ...each }));

interface ExpectedRun {
  account: 'own' | 'other';
  kind: Kind;
  isGivenUp: boolean;
  credits: number;
}

export interface Expected {
  answer: 'started' | 'replayed' | 'in progress' | 'reused';
  /** In whole seconds, counted down from the rule's value; null if the header is missing. */
  retryAfter: { from: number; counts: boolean } | null;
  /** Whether the response describes a run that was given up. */
  isGivenUp: boolean;
  /** All runs that exist afterwards, including that of the first request. */
  runs: readonly ExpectedRun[];
}

const isGivenUp = ({ first, ageSeconds }: State) =>
  first === 'failed with the run created' && ageSeconds >= GIVEN_UP_SECONDS;

type Standing = 'new' | 'running' | 'held' | 'remembered';

/** Returns the state of the key for a request sent now. */
function standingOf({ first, ageSeconds }: State): Standing {
  if (first === 'none' || first === 'refused') return 'new';
  if (first === 'running') return 'running';
  if (first === 'done') return ageSeconds < DAY ? 'remembered' : 'new';
  if (ageSeconds < HOLD_SECONDS) return 'held';
  if (first === 'failed with nothing created') return 'new';
  return ageSeconds < GIVEN_UP_SECONDS + DAY ? 'remembered' : 'new';
}

function firstRuns({ state, kind }: Case): ExpectedRun[] {
  const exists = ['running', 'done', 'failed with the run created'].includes(state.first);
  const credits = kind === 'pentest' ? LIGHT : 0;
  return exists ? [{ account: 'own', kind, isGivenUp: isGivenUp(state), credits }] : [];
}

/** Returns what the rules promise for a request. */
export function expectedOf(one: Case): Expected {
  const { state, sender, sentTo, body } = one;
  const runs = firstRuns(one);
  const standing = sender === 'another account' ? 'new' : standingOf(state);
  if (standing === 'new') {
    const account = sender === 'another account' ? 'other' : 'own';
    const started: ExpectedRun = { account, kind: sentTo, isGivenUp: false, credits: body.credits };
    return { answer: 'started', retryAfter: null, isGivenUp: false, runs: [...runs, started] };
  }
  if (sender === 'the other start endpoint' || !body.isSame) {
    return { answer: 'reused', retryAfter: null, isGivenUp: false, runs };
  }
  if (standing === 'remembered') return { answer: 'replayed', retryAfter: null, isGivenUp: isGivenUp(state), runs };
  const retryAfter =
    standing === 'running' ? { from: 1, counts: false } : { from: HOLD_SECONDS - state.ageSeconds, counts: true };
  return { answer: 'in progress', retryAfter, isGivenUp: false, runs };
}
