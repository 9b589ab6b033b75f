import { createHash } from 'node:crypto';
import type { PasswordDigest } from '../experiment.ts';

/** Fast digests that applications store instead of a password hash. */
const ALGORITHMS = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' } as const;

/** Returns the unsalted digests of a password. */
export function digestsOf(password: string): PasswordDigest[] {
  return Object.entries(ALGORITHMS).map(([name, algorithm]) => ({
    algorithm,
    hex: createHash(name).update(password).digest('hex'),
  }));
}
