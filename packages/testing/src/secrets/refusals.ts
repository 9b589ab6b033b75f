import assert from 'node:assert/strict';
import type { ErrorCode } from '@sortie/contract';
import { type Answer, call } from '../http/call.ts';
import { withChecksum } from '../world/key-text.ts';
import type { Scene, Starter } from './scene.ts';

interface Refusal {
  code: ErrorCode;
  send(scene: Scene, owner: Starter): Promise<Answer>;
}

/** Starts with secrets that are refused by every rule except validation of the body. */
export const refusals: Record<string, Refusal> = {
  '401 with a key that nobody made': {
    code: 'UNAUTHORIZED',
    send({ send, secrets: { mark } }, { start }) {
      return send({ apiKey: withChecksum(`srt_test_abcdefghijkl_${mark}${mark}`) }, start);
    },
  },
  '401 with a secret instead of a key': {
    code: 'UNAUTHORIZED',
    send: ({ send, secrets }, { start }) => send({ apiKey: secrets.create('instead of a key', 'url') }, start),
  },
  '402 without credits': {
    code: 'INSUFFICIENT_CREDITS',
    send: (scene) => sendAs(scene, scene.createStarter({ credits: 0 })),
  },
  '403 without the permission': {
    code: 'FORBIDDEN',
    send: (scene, owner) => sendAs(scene, scene.createKey(owner, { permissions: 'pentests:read' })),
  },
  '403 for a target that the verification does not cover': {
    code: 'FORBIDDEN',
    send({ send, secrets }, owner) {
      const targetUrl = `https://other.example.test/${secrets.create('in an uncovered URL', 'url')}`;
      return send(owner, { ...owner.start, targetUrl });
    },
  },
  '403 for a target that is not assigned': {
    code: 'FORBIDDEN',
    async send(scene, { accountId, start }) {
      return scene.send(await scene.createStarter({ accountId, role: 'MEMBER', credits: 0 }), start);
    },
  },
  '403 for a target without API runs': {
    code: 'TARGET_API_RUNS_DISABLED',
    async send(scene) {
      const starter = await scene.createStarter();
      await scene.world.admin.target.apiRuns({ id: starter.start.verificationId, state: 'off' });
      return sendAs(scene, starter);
    },
  },
  '403 with a key past its budget': {
    code: 'API_KEY_CAP_EXCEEDED',
    send: (scene, owner) => sendAs(scene, scene.createKey(owner, { budget: '1' })),
  },
  '403 past the allowance': {
    code: 'ORG_CREDIT_CAP_EXCEEDED',
    send: (scene) => sendAs(scene, scene.createStarter({ allowance: '1' })),
  },
  '403 for a suspended account': {
    code: 'ACCOUNT_SUSPENDED',
    async send(scene) {
      const starter = await scene.createStarter();
      await scene.world.admin.account.suspend({ id: starter.accountId });
      return sendAs(scene, starter);
    },
  },
  '404 for a verification that does not exist': {
    code: 'NOT_FOUND',
    // Not a secret, and it has to be looked up in the database.
    send: ({ send, labels }, owner) => send(owner, { ...owner.start, verificationId: labels.create('verificationId') }),
  },
  '404 at an address that does not exist': {
    code: 'NOT_FOUND',
    send({ record, secrets, world }, { apiKey: key, start: body }) {
      const url = `${world.server.baseUrl}/v1/pentest/${secrets.create('in a path', 'url')}`;
      return record(call(url, { method: 'POST', key, body }));
    },
  },
  '429 when as many pentests run as the account may have': {
    code: 'PENTEST_CONCURRENCY_EXCEEDED',
    async send(scene) {
      const starter = await scene.createStarter();
      for (let runs = 0; runs < 3; runs++) assert.equal((await sendAs(scene, starter)).status, 201);
      return sendAs(scene, starter);
    },
  },
  '429 to one start too many in a minute': {
    code: 'RATE_LIMITED',
    send: ({ send, fragile }, owner) => send(owner, owner.start, { server: fragile }),
  },
};

async function sendAs({ send }: Scene, starter: Starter | Promise<Starter>): Promise<Answer> {
  return send(await starter, (await starter).start);
}
