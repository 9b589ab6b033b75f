import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../config/variables.ts';
import { BASE62, randomBase62 } from '../platform/new-id.ts';

const SHAPE = /^(srt_(live|test)_([0-9A-Za-z]{12})_([0-9A-Za-z]{32}))([0-9A-Za-z]{6})$/;

/** 62^6 is the first power of 62 above 2^32. */
const CHECKSUM_LENGTH = 6;

export interface KeyParts {
  environment: Environment;
  id: string;
  secret: string;
}

/** Returns a new API key with its parts. Only a hash of its secret may be stored. */
export function createKeyText(environment: Environment): KeyParts & { text: string } {
  const id = randomBase62(12);
  const secret = randomBase62(32);
  const body = `srt_${environment}_${id}_${secret}`;
  return { environment, id, secret, text: body + checksum(body) };
}

/**
 * Returns the parts of an API key. Detects typos and everything else not created by `createKeyText` without a database
 * lookup, and returns undefined for it.
 */
export function parseKeyText(text: string): KeyParts | undefined {
  const match = SHAPE.exec(text);
  if (!match) return undefined;
  const [, body = '', environment, id = '', secret = '', given] = match;
  if (checksum(body) !== given) return undefined;
  return { environment: environment as Environment, id, secret };
}

/**
 * Returns the hash of a key's secret. A fast hash suffices: 190 random bits cannot be guessed, and a slow one would let
 * invalid keys exhaust the server.
 */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
