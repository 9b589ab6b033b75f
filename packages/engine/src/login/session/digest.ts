import { createHash, randomBytes } from 'node:crypto';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import type { Sender } from '../../http/exchange/sender.ts';

/** A challenge of HTTP Digest (RFC 7616) that can be answered. */
interface Challenge {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  algorithm: string;
  /** Absent for servers that follow RFC 2069 only. */
  qop: 'auth' | undefined;
  /** The credentials were right, but the nonce is no longer valid. */
  isStale: boolean;
}

/** Authenticates each request of a session with HTTP Digest. */
export interface Digest {
  /** Returns the value of `Authorization` for the next request. */
  answer(method: string, url: string): string;
  /** Takes over the nonce of a refusal. Returns whether the request may be sent again with it. */
  renew(challenges: readonly string[]): boolean;
}

export function createDigest(first: Challenge, account: { user: string; pass: string }): Digest {
  let challenge = first;
  let count = 0;
  return {
    answer(method, url) {
      count++;
      return answerTo(challenge, { user: account.user, pass: account.pass, method, url, count });
    },
    renew(challenges) {
      const next = challengeIn(challenges);
      if (!next?.isStale) return false;
      challenge = next;
      count = 0;
      return true;
    },
  };
}

const HASHES = new Map([
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
  ['MD5', 'md5'],
]);
const PART = /([a-z]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/gi;

/** Returns the strongest Digest challenge among the headers; undefined if there is none that can be answered. */
export function challengeIn(headers: readonly string[]): Challenge | undefined {
  const found = headers.flatMap((header) => challengesIn(header));
  const rank = ({ algorithm }: Challenge) => [...HASHES.keys()].indexOf(nameOf(algorithm));
  return found.filter((each) => HASHES.has(nameOf(each.algorithm))).toSorted((a, b) => rank(a) - rank(b))[0];
}

const nameOf = (algorithm: string) => algorithm.toUpperCase().replace(/-SESS$/, '');

/** A header may have several challenges. */
function challengesIn(header: string): Challenge[] {
  return header.split(/(?:^|,)\s*(?=[a-z]+\s+[a-z]+\s*=)/i).flatMap((part) => {
    const [, written] = /^\s*digest\s+(.*)$/is.exec(part) ?? [];
    const values = new Map(
      [...(written ?? '').matchAll(PART)].map(([, name = '', quoted, bare = '']) => [
        name.toLowerCase(),
        quoted?.replace(/\\(.)/g, '$1') ?? bare,
      ]),
    );
    const [realm, nonce, qop] = [values.get('realm'), values.get('nonce'), values.get('qop')];
    const offers = qop?.split(',').map((each) => each.trim().toLowerCase());
    // `auth-int` alone would need the hash of each body.
    if (realm === undefined || nonce === undefined || (offers && !offers.includes('auth'))) return [];
    const algorithm = values.get('algorithm') ?? 'MD5';
    const isStale = /^true$/i.test(values.get('stale') ?? '');
    return [{ realm, nonce, opaque: values.get('opaque'), algorithm, qop: offers && ('auth' as const), isStale }];
  });
}

interface Answering {
  user: string;
  pass: string;
  method: string;
  url: string;
  /** Number of requests with this nonce, including this one. */
  count: number;
  clientNonce?: string;
}

/** Returns the value of `Authorization` for one request (RFC 7616, section 3.4). */
export function answerTo(challenge: Challenge, answering: Answering): string {
  const { realm, nonce, opaque, algorithm, qop } = challenge;
  const { user, pass, method, url, count, clientNonce = randomBytes(16).toString('hex') } = answering;
  const hash = (text: string) =>
    createHash(HASHES.get(nameOf(algorithm)) ?? 'md5')
      .update(text)
      .digest('hex');
  const { pathname, search } = new URL(url);
  const uri = pathname + search;
  const own = hash(`${user}:${realm}:${pass}`);
  const secret = /-sess$/i.test(algorithm) ? hash(`${own}:${nonce}:${clientNonce}`) : own;
  const times = count.toString(16).padStart(8, '0');
  const middle = qop ? `${nonce}:${times}:${clientNonce}:${qop}` : nonce;
  const response = hash(`${secret}:${middle}:${hash(`${method}:${uri}`)}`);
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const parts = [
    `username=${quoted(user)}, realm=${quoted(realm)}, nonce=${quoted(nonce)}, uri=${quoted(uri)}`,
    `algorithm=${algorithm}, response="${response}"`,
    ...(qop ? [`qop=${qop}, nc=${times}, cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${parts.join(', ')}`;
}

/** Wraps a sender: answers the challenge for each request of the account, and once more if its nonce has expired. */
export function withDigest(sender: Pick<Sender, 'send'>) {
  let digest: Digest | undefined;
  return {
    set(next: Digest | undefined): void {
      digest = next;
    },
    async send(request: TargetRequest, isOwn: boolean): Promise<Exchange> {
      const used = isOwn ? digest : undefined;
      if (!used) return sender.send(request);
      const send = () => {
        const answer = ['Authorization', used.answer(request.method, request.url)] as const;
        return sender.send({ ...request, headers: [...(request.headers ?? []), answer] });
      };
      const exchange = await send();
      const { status, headers } = exchange.response ?? { status: 0, headers: [] };
      const challenges = headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
      return status === 401 && used.renew(challenges.map(([, value]) => value)) ? send() : exchange;
    },
  };
}
