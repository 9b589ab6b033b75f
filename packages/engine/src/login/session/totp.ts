import { createHmac } from 'node:crypto';
import type { Clock } from '../../http/limits/clock.ts';

/** TOTP parameters of an account. */
export interface Authenticator {
  key: Buffer;
  algorithm: 'sha1' | 'sha256' | 'sha512';
  digits: number;
  periodMs: number;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Parses a secret as sites show it (Base32, in groups or not) or encode it in a QR code (`otpauth://totp/…`). Returns
 * undefined for anything else.
 */
export function readAuthenticator(text: string): Authenticator | undefined {
  const uri = /^otpauth:\/\//i.test(text.trim()) ? URL.parse(text.trim()) : undefined;
  // HOTP is not supported: each use advances its counter, and its current value is unknown.
  if (uri === null || (uri && uri.host.toLowerCase() !== 'totp')) return undefined;
  const asked = (name: string) => uri?.searchParams.get(name) ?? undefined;
  const key = fromBase32(asked('secret') ?? (uri ? '' : text));
  const algorithm = (asked('algorithm') ?? 'sha1').toLowerCase().replace('-', '');
  const digits = Number(asked('digits') ?? 6);
  const seconds = Number(asked('period') ?? 30);
  if (!key || !isAlgorithm(algorithm)) return undefined;
  if (!(Number.isInteger(digits) && digits >= 6 && digits <= 10 && seconds >= 1 && seconds <= 300)) return undefined;
  return { key, algorithm, digits, periodMs: seconds * 1_000 };
}

const isAlgorithm = (text: string): text is Authenticator['algorithm'] => /^sha(?:1|256|512)$/.test(text);

function fromBase32(text: string): Buffer | undefined {
  const letters = text.replace(/[\s-]|=+\s*$/g, '').toUpperCase();
  if (letters === '' || !/^[A-Z2-7]+$/.test(letters)) return undefined;
  const bits = [...letters].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code for a time step (RFC 6238 §4). */
export function codeOf({ key, algorithm, digits }: Authenticator, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

export interface OneTimeCodes {
  /**
   * Resolves to an unused code, because sites accept each code once; waits for the next period if necessary. Resolves
   * to undefined for an invalid secret.
   */
  next(secret: string): Promise<string | undefined>;
}

/** A code with less time left may expire in transit. */
const LEAST_LEFT_MS = 3_000;

export function createOneTimeCodes({ now, sleep }: Pick<Clock, 'now' | 'sleep'>): OneTimeCodes {
  const lastOf = new Map<string, number>();
  return {
    async next(secret) {
      const authenticator = readAuthenticator(secret);
      if (!authenticator) return undefined;
      const { periodMs, key } = authenticator;
      const account = key.toString('hex');
      const earliest = (lastOf.get(account) ?? -1) + 1;
      const leastLeft = Math.min(LEAST_LEFT_MS, periodMs / 4);
      const stepNow = () => Math.floor(now() / periodMs);
      const isUsable = () => stepNow() >= earliest && (stepNow() + 1) * periodMs - now() >= leastLeft;
      while (!isUsable()) await sleep(Math.max(stepNow() + 1, earliest) * periodMs - now());
      lastOf.set(account, stepNow());
      return codeOf(authenticator, stepNow());
    },
  };
}
