import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { endpoints, permissions, type Role } from '@sortie/contract';
import fastify from 'fastify';
import { createLog } from '../platform/log.ts';
import type { Caller } from './admission.ts';
import { createErrorHandler } from './answer-error.ts';
import { mountEndpoints } from './mount.ts';
import { untouchedWindow } from './rate-limits.ts';

const rateLimits = { readsPerKey: 10, readsPerAccount: 10, writesPerKey: 10 };

/** Sends a request of a caller with this role to an API whose handlers all return nothing. */
async function statusFor(role: string | null): Promise<number> {
  const caller: Caller = {
    apiKeyId: 'key_1',
    accountId: 'acc_1',
    userId: 'usr_1',
    role: role as Role | null,
    permissions,
    isCapped: false,
    suspended: false,
  };
  const app = fastify();
  app.setErrorHandler(createErrorHandler(createLog('error')));
  const authenticate = async () => ({ caller, limits: untouchedWindow(rateLimits, 'read') });
  const routes = Object.values(endpoints).map((endpoint) => ({ endpoint, handle: async () => ({}) }));
  const fingerprintKey = { id: 'test', key: createSecretKey(randomBytes(32)) };
  mountEndpoints(app, { authenticate, rateLimits, fingerprintKey, routes });
  const { statusCode } = await app.inject('/v1/levels');
  await app.close();
  return statusCode;
}

describe('a role', () => {
  it('that is known has its permissions', async () => assert.equal(await statusFor('VIEWER'), 200));

  for (const role of [null, 'AUDITOR', 'constructor']) {
    it(`that is ${role} has none`, async () => assert.equal(await statusFor(role), 403));
  }
});
