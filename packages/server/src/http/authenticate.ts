import type { IncomingMessage } from 'node:http';
import type { LimitClass } from '@sortie/contract';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { AppError } from '../errors/app-error.ts';
import { parseKeyText } from '../keys/key-format.ts';
import { type Admit, type Admitted, createAdmission } from './admission.ts';
import { createSecretCheck } from './key-secrets.ts';
import { singleHeader } from './single-header.ts';

export type Authenticate = (
  request: IncomingMessage,
  limitClass: LimitClass,
  /** Told as soon as the secret has matched, before the request is admitted. */
  onAccountKnown?: (accountId: string) => void,
) => Promise<Admitted>;

/** The presented key, or undefined: a repeated header is as good as none, since it is unclear which one is meant. */
function presentedKey(request: IncomingMessage) {
  const text = /^Bearer +([^\s]+)$/i.exec(singleHeader(request, 'authorization') ?? '')?.[1];
  return text === undefined ? undefined : parseKeyText(text);
}

/**
 * Every reason for which a key does not open the door gives the same answer, so that nothing can be learnt by
 * trying. A key of the other environment or with a typing error is refused without a look-up.
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
