import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { ModelRequest } from '@sortie/engine';
import { type ModelServer, startModelServer } from '@sortie/testing/model-server/model-server.ts';
import type { Reply, SeenCall } from '@sortie/testing/model-server/protocol.ts';
import { costOf, worstCaseOf } from '../billing/model-price.ts';
import { type ModelSetting, modelProviders } from '../billing/model-settings.ts';
import { createSecret } from '../platform/secret.ts';
import { callModel } from './call-model.ts';
import { checkModel } from './check-model.ts';
import { countInput } from './count-input.ts';

const KEY = 'key-of-the-operator';

let script: (call: SeenCall, index: number) => Reply = () => ({ text: 'hello' });
const servers: ModelServer[] = [];
const server = await startModelServer((call, index) => script(call, index));
servers.push(server);
after(() => Promise.all(servers.map((each) => each.close())));

const settingOf = (provider: ModelSetting['provider'], over: Partial<ModelSetting> = {}): ModelSetting => ({
  name: 'main',
  provider,
  model: 'scripted',
  url: server.url,
  key: createSecret(KEY),
  price: { input: 3_000_000, output: 15_000_000, cachedInput: 300_000 },
  contextTokens: 128_000,
  maxOutputTokens: 1_000,
  isExternal: false,
  callsAtOnce: 4,
  ...over,
});

const tool = {
  name: 'request',
  description: 'Sends a request.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};
const request: ModelRequest = {
  instructions: 'Test the shop.',
  messages: [{ role: 'user', text: 'Begin.' }],
  tools: [tool],
  maxOutputTokens: 4_000,
};
const never = new AbortController().signal;

for (const provider of modelProviders) {
  const ask = (over: Partial<ModelRequest> = {}, signal = never) =>
    callModel(settingOf(provider), { ...request, ...over }, signal);
  const lastCall = () => server.calls.at(-1) ?? assert.fail('no call was made');

  describe(`a model of ${provider}`, () => {
    it('gets instructions, messages and tools in its own protocol, with the key of the operator', async () => {
      script = () => ({ text: 'hello' });
      const result = await ask();
      const { protocol, model, key, instructions, messages, tools, maxOutputTokens } = lastCall();
      assert.deepEqual(
        { protocol, model, key, instructions, messages, tools, maxOutputTokens },
        {
          protocol: provider,
          model: 'scripted',
          key: KEY,
          instructions: 'Test the shop.',
          messages: [{ role: 'user', text: 'Begin.' }],
          tools: ['request'],
          // The limit of the operator is smaller than what was asked for.
          maxOutputTokens: 1_000,
        },
      );
      assert.equal(result.state, 'ANSWERED');
    });

    it('answers with text and tool calls, streamed in parts, and with what was counted', async () => {
      script = () => ({
        text: 'I look at the cart.',
        calls: [
          { name: 'request', input: { path: '/cart' } },
          { name: 'request', input: { path: '/orders' } },
        ],
        usage: { input: 1_000, output: 50, cached: 400 },
      });
      const result = await ask();
      assert.ok(result.state === 'ANSWERED');
      const { text, calls, finish } = result.answer;
      assert.equal(text, 'I look at the cart.');
      assert.deepEqual(
        calls.map(({ name, input }) => ({ name, input })),
        [
          { name: 'request', input: { path: '/cart' } },
          { name: 'request', input: { path: '/orders' } },
        ],
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      assert.equal(finish, 'tools');
      assert.deepEqual(result.usage, {
        inputTokens: 1_000,
        outputTokens: 50,
        cachedInputTokens: 400,
        cacheWriteTokens: 0,
      });
    });

    it('gets its own calls back with their results, and what it wants back', async () => {
      script = () => ({ calls: [{ name: 'request', input: { path: '/cart' } }], signature: 'c2lnbmVk' });
      const result = await ask();
      assert.ok(result.state === 'ANSWERED');
      const { text, calls, raw } = result.answer;
      const [call] = calls;
      assert.ok(call);
      script = () => ({ text: 'done' });
      await ask({
        messages: [
          ...request.messages,
          { role: 'assistant', text, calls, raw },
          { role: 'tool', results: [{ id: call.id, name: 'request', text: 'status 200' }] },
        ],
      });
      const { messages, body } = lastCall();
      assert.deepEqual(messages[0], { role: 'user', text: 'Begin.' });
      assert.deepEqual(messages[1], { role: 'call', name: 'request', input: { path: '/cart' } });
      assert.equal(messages[2]?.role, 'result');
      assert.match(inspect(messages[2]), /status 200/);
      const isSigned = provider === 'anthropic' || provider === 'google';
      assert.equal(JSON.stringify(body).includes('c2lnbmVk'), isSigned);
    });

    it('that stops at its limit says so', async () => {
      script = () => ({ text: 'I look at', finish: 'length' });
      const result = await ask();
      assert.ok(result.state === 'ANSWERED');
      assert.equal(result.answer.finish, 'length');
    });

    it('that refuses the call costs nothing, and says when to come back', async () => {
      script = () => ({ status: 429, headers: { 'retry-after': '7' } });
      const { reason, ...busy } = { reason: '', ...(await ask()) };
      assert.deepEqual(busy, { state: 'FAILED', isTemporary: true, retryAfterMs: 7_000, code: 'HTTP 429' });
      assert.match(reason, /^HTTP 429/);
      script = () => ({ status: 401 });
      const wrongKey = await ask();
      assert.ok(wrongKey.state === 'FAILED' && !wrongKey.isTemporary);
    });

    it('whose answer breaks off may have cost something', async () => {
      for (const breaks of ['in the middle', 'at once'] as const) {
        script = () => ({ text: 'I look at the cart.', breaks });
        const result = await ask();
        assert.equal(result.state, 'UNKNOWN', breaks);
      }
    });

    it('is given up when the run ends', async () => {
      const ending = new AbortController();
      script = () => {
        ending.abort();
        return { text: 'too late', delayMs: 20 };
      };
      assert.equal((await ask({}, ending.signal)).state, 'UNKNOWN');
    });

    it('is checked with one small call', async () => {
      script = ({ messages }) => {
        const numbers = [...inspect(messages).matchAll(/\b\d{3}\b/g)].map(([number]) => Number(number));
        return { calls: [{ name: 'report', input: { kind: 'numbers', values: numbers } }] };
      };
      const before = server.calls.length;
      const { works, problems, microdollars, inputTokens } = await checkModel(settingOf(provider), never);
      assert.deepEqual(
        { works, problems, inputTokens, microdollars },
        { works: true, problems: [], inputTokens: 100, microdollars: 600 },
      );
      assert.equal(server.calls.length, before + 1);
    });
  });
}

describe('a check of a model', () => {
  const problemsOf = async (reply: Reply, over: Partial<ModelSetting> = {}) => {
    script = () => reply;
    return (await checkModel(settingOf('openai-compatible', over), never)).problems.map((text) => text.split(':')[0]);
  };

  it('names what is missing', async () => {
    const right = { calls: [{ name: 'report', input: { kind: 'numbers' } }] };
    assert.deepEqual(await problemsOf({ text: 'no tools here' }), ['Tools']);
    assert.deepEqual(await problemsOf(right), ['Structured output']);
    assert.deepEqual(await problemsOf({ ...right, usage: null }), ['Structured output', 'Usage']);
    assert.deepEqual(await problemsOf({ status: 404 }), ['No answer']);
    assert.deepEqual(await problemsOf(right, { contextTokens: 8_000 }), ['Structured output', 'Context']);
  });

  it('shows the key nowhere', async () => {
    const setting = settingOf('openai-compatible');
    script = () => ({ status: 401 });
    const result = await checkModel(setting, never);
    assert.ok(!inspect({ result, setting }, { depth: 9 }).includes(KEY));
  });
});

describe('a model that is not there', () => {
  it('costs nothing', async () => {
    const gone = await startModelServer(() => ({}));
    await gone.close();
    const result = await callModel(settingOf('openai-compatible', { url: gone.url }), request, never);
    assert.ok(result.state === 'FAILED' && result.isTemporary);
  });
});

describe('what is counted before a call', () => {
  it('is never less than the bytes of all that is sent, so that no tokenizer exceeds it', () => {
    const wide = '\u{1F600}'.repeat(50);
    const counted = countInput({ ...request, messages: [{ role: 'user', text: wide }] });
    assert.ok(counted > Buffer.byteLength(wide) + Buffer.byteLength(JSON.stringify(tool)));
    const price = { input: 1_000_000, output: 0 };
    const usage = { inputTokens: counted, outputTokens: 9, cachedInputTokens: 0, cacheWriteTokens: 0 };
    assert.ok(costOf(price, usage) <= worstCaseOf(price, counted, 9));
  });
});
