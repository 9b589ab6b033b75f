import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AskMessage, ModelAnswer } from '@sortie/engine';
import { type ModelServer, startModelServer } from '@sortie/testing/model-server/model-server.ts';
import type { Reply } from '@sortie/testing/model-server/protocol.ts';
import type { Database } from '../db/database.ts';
import { createModelCalls } from './model-calls.ts';

const SAID = 'what the target has said';

let server: ModelServer;
let reply: Reply = {};
before(async () => {
  server = await startModelServer(() => reply);
});
after(() => server.close());

const message: AskMessage = {
  type: 'ask',
  id: '1',
  phase: 'WEB_TEST',
  specialist: 'access control',
  promptVersion: '1',
  isClosing: false,
  share: null,
  request: { instructions: 'Test it.', messages: [{ role: 'user', text: SAID }], tools: [], maxOutputTokens: 500 },
};

const reserved = [
  { kind: 'reserved', callId: 1 },
  { isStored: true, overrun: 0 },
];

/** Makes a call that fails, with these outcomes of the writes. Resolves with what the log says. */
async function warningsOf(writes: readonly unknown[]): Promise<string> {
  const left = [...writes];
  const warnings: object[] = [];
  const answered = Promise.withResolvers<ModelAnswer>();
  const calls = createModelCalls({
    database: undefined as unknown as Database,
    run: { id: 'pen_1', epoch: 1 },
    model: {
      name: 'main',
      provider: 'openai-compatible',
      model: 'scripted',
      url: server.url,
      key: null,
      price: { input: 1, output: 1 },
      contextTokens: 128_000,
      maxOutputTokens: 1_000,
      isExternal: false,
      callsAtOnce: 1,
    },
    key: 'key of the run',
    log: { warn: (text, details) => void warnings.push({ text, ...details }) },
    async retry<T>() {
      const outcome = left.shift();
      if (outcome instanceof Error) throw outcome;
      return outcome as T;
    },
    answer: (_id, answer) => answered.resolve(answer),
  });
  calls.ask(message);
  assert.deepEqual(await answered.promise, { kind: 'refused', reason: 'UNAVAILABLE' });
  await calls.stop();
  assert.equal(warnings.length, 1);
  return JSON.stringify(warnings);
}

describe('what the log says about a model that is given up', () => {
  it('has the status of the provider, and none of its words, which quote what was sent', async () => {
    reply = { status: 400, message: `Not accepted: ${SAID}` };
    const warnings = await warningsOf(reserved);
    assert.match(warnings, /HTTP 400/);
    assert.ok(!warnings.includes(SAID), warnings);
  });

  it('has the class of an error of the database, and none of its words, which quote what was stored', async () => {
    const warnings = await warningsOf([new TypeError(`invalid input: ${SAID}`)]);
    assert.match(warnings, /TypeError/);
    assert.ok(!warnings.includes(SAID), warnings);
  });
});
