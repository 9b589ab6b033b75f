import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { listenTo } from './login-answers.ts';

const token = ['{"alg":"none"}', '{"data":{"id":23}}', 'x']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const answering = (body: string, status: number) =>
  listenTo({
    send: async (request): Promise<Exchange> => ({
      request,
      response: { status, headers: [], body: Buffer.from(body), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    }),
  });

it('what a login answers is heard, with what its token says, and nothing after it', async () => {
  const heard = answering(JSON.stringify({ token, bid: 6 }), 200);
  const post = { method: 'POST', url: 'http://shop.test/login', purpose: 'test' } as const;
  await heard.sender.send({ ...post, method: 'GET' });
  await heard.sender.send(post);
  const told = heard.stop();
  await heard.sender.send(post);
  assert.deepEqual(told, [{ token, bid: 6 }, { data: { id: 23 } }]);
});

it('what refuses a login tells nothing of the account', async () => {
  const heard = answering('{"id":1}', 401);
  await heard.sender.send({ method: 'POST', url: 'http://shop.test/login', purpose: 'test' });
  assert.deepEqual(heard.stop(), []);
});
