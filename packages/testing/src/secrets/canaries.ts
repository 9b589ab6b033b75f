import type { StartPentest } from '@sortie/contract';
import { randomBase62 } from '../../../server/src/platform/new-id.ts';
import { createCanary, findLeaks } from './leak-scanner.ts';

/** Parsers quote ten characters in errors; this many random ones do not occur by chance. */
const PIECE_LENGTH = 8;

function* piecesOf(secret: string): Generator<string> {
  for (const run of secret.split(/[^0-9A-Za-z]+/)) {
    for (let at = 0; at + PIECE_LENGTH <= run.length; at++) yield run.slice(at, at + PIECE_LENGTH);
  }
}

/** Secrets that all begin and end with one mark, so that a single search finds any of them, even truncated. */
export interface Canaries {
  create(what: string, alphabet?: 'any' | 'url'): string;
  /** Returns which canaries were found and in which encoding; empty if none. */
  findIn(searched: string | Uint8Array): string[];
  /** Returns which fragments were found, as short as a parser quotes them. */
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
      const found = new Set<string>();
      for (let at = 0; at + PIECE_LENGTH <= text.length; at++) {
        const piece = text.slice(at, at + PIECE_LENGTH);
        if (pieces.has(piece)) found.add(piece);
      }
      return [...found];
    },
  };
}

type Credentials = NonNullable<StartPentest['credentials']>;

/** The body of a start with secrets. */
export type SecretStart = Pick<StartPentest, 'targetUrl' | 'verificationId'> & {
  credentials: Credentials;
  apiDescription: string;
};

/** Returns an API description with secrets in it. */
export const secretDescription = (secrets: Canaries) =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: secrets.create('title of the API description') },
    paths: { [`/${secrets.create('path of the API description', 'url')}`]: { get: {} } },
  });

/** The index of the credential in which every field is used. */
export const CLIENT = 4;

/** Returns the maximum number of test accounts, of every kind and variant, with a secret in every text field. */
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
