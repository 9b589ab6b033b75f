import type { StartPentest } from '@sortie/contract';
import { randomBase62 } from '../../packages/server/src/platform/new-id.ts';
import { createCanary, findLeaks } from './leak-scanner.ts';

/** Parsers quote ten characters; so many that are random do not turn up by chance. */
const PIECE_LENGTH = 8;

function* piecesOf(secret: string): Generator<string> {
  for (const run of secret.split(/[^0-9A-Za-z]+/)) {
    for (let at = 0; at + PIECE_LENGTH <= run.length; at++) yield run.slice(at, at + PIECE_LENGTH);
  }
}

/** Secrets that all begin and end with one mark, so that one search finds any of them, also one that was cut. */
export interface Canaries {
  create(what: string, alphabet?: 'any' | 'url'): string;
  /** Says which of them are there and in which form; nothing when there is none. */
  findIn(searched: string | Uint8Array): string[];
  /** Says which pieces of them are there, as short as a parser quotes them. */
  findPiecesIn(searched: string | Uint8Array): string[];
  mark: string;
}

export function createCanaries(): Canaries {
  const mark = randomBase62(16);
  const created: Record<string, string> = {};
  return {
    mark,
    create(what, alphabet) {
      const secret = `${mark}${createCanary(alphabet)}${mark}`;
      created[what] = secret;
      return secret;
    },
    findIn(searched) {
      const parts = findLeaks(searched, { 'a part': mark });
      const leaks = parts.length === 0 ? [] : findLeaks(searched, created);
      return (leaks.length === 0 ? parts : leaks).map(({ canary, form, at }) => `${canary} as ${form} at byte ${at}`);
    },
    findPiecesIn(searched) {
      const text = Buffer.from(searched).toString('latin1');
      const pieces = new Set(Object.values(created).flatMap((secret) => [...piecesOf(secret)]));
      return [...pieces].filter((piece) => text.includes(piece));
    },
  };
}

type Credentials = NonNullable<StartPentest['credentials']>;

/** What a start with secrets sends. */
export type SecretStart = Pick<StartPentest, 'targetUrl' | 'verificationId'> & { credentials: Credentials };

/** Where in these credentials every field is in use. */
export const CLIENT = 4;

/** Test accounts of every kind and variant, as many as a run may have, with a secret in every field that takes text. */
export function credentialsOfEveryKind(secrets: Canaries, labels: Canaries): Credentials {
  const account = (what: string) => ({
    name: labels.create(`name of ${what}`, 'url'),
    user: secrets.create(`user of ${what}`),
    pass: secrets.create(`pass of ${what}`),
    totpSecret: secrets.create(`totpSecret of ${what}`),
    instructions: secrets.create(`instructions of ${what}`),
  });
  const client = {
    tokenUrl: `https://id.example.test/${secrets.create('tokenUrl', 'url')}?secret=${secrets.create('query', 'url')}`,
    scope: secrets.create('scope'),
    audience: secrets.create('audience'),
  };
  return [
    account('no kind'),
    { ...account('a JSON login'), kind: 'FORM_LOGIN', mode: 'json' },
    { ...account('a form login'), kind: 'FORM_LOGIN', mode: 'form' },
    { ...account('a browser login'), kind: 'FORM_LOGIN', mode: 'browser' },
    { ...account('a client'), kind: 'BEARER_TOKEN', ...client },
    { ...account('a token'), kind: 'BEARER_TOKEN' },
    { ...account('basic'), kind: 'BASIC_AUTH' },
    { ...account('a cookie'), kind: 'COOKIE' },
    { ...account('a header key'), kind: 'API_KEY' },
    { ...account('a query key'), kind: 'API_KEY', location: 'query' },
  ];
}
