import type { IncomingMessage } from 'node:http';
import type { LimitClass } from '@sortie/contract';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors/app-error.ts';
import { parseKeyText } from '../keys/key-format.ts';
import { type Admit, type Admitted, createAdmission } from './admission.ts';
import { createSecretCheck } from './key-secrets.ts';
import { singleHeader } from './single-header.ts';

export type Authenticate = (
  request: IncomingMessage,
  limitClass: LimitClass,
  /** Called as soon as the secret is verified, before the request is admitted. */
  onAccountKnown?: (accountId: string) => void,
) => Promise<Admitted>;

/** Returns the presented key, or undefined. Rejects a repeated header, because it is ambiguous. */
function presentedKey(request: IncomingMessage) {
  const text = /^Bearer +([^\s]+)$/i.exec(singleHeader(request, 'authorization') ?? '')?.[1];
  return text === undefined ? undefined : parseKeyText(text);
}

/**
 * Returns a function that authenticates requests. Every failure has the same response, so that clients cannot probe for
 * keys. A key of another environment or with a wrong checksum is rejected without a database lookup.
 */
export function createAuthenticate(pool: pg.Pool, config: Pick<Config, 'environment' | 'rateLimits'>): Authenticate {
  const admit: Admit = createAdmission(pool, config.rateLimits);
  const checkSecret = createSecretCheck(pool);

  return async (request, limitClass, onAccountKnown) => {
    const key = presentedKey(request);
    if (!key || key.environment !== config.environment) throw new AppError('UNAUTHORIZED');
    const accountId = await checkSecret(key.id, key.secret);
    if (accountId === undefined) throw new AppError('UNAUTHORIZED');
    onAccountKnown?.(accountId);
    const admitted = await admit({ apiKeyId: key.id, limitClass });
    if (!admitted) throw new AppError('UNAUTHORIZED');
    return admitted;
  };
}
