import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { withFormTokens } from './fresh-form-tokens.ts';
import type { Session } from './session.ts';

const URL_OF_FORM = 'http://shop.test/login';
const FORM = '<form method="post"><input type="hidden" name="csrf_token" value="fresh+1"><input name="user"></form>';
const TYPE = ['Content-Type', 'application/x-www-form-urlencoded'] as const;

function visitor(page = FORM) {
  const sent: string[] = [];
  const send = async (request: Parameters<Session['send']>[0]) => {
    sent.push(`${request.method} ${String(request.body ?? '')}`.trim());
    return { request, response: { status: 200, headers: [], body: Buffer.from(page) } } as unknown as Exchange;
  };
  return { sent, session: withFormTokens({ send } as unknown as Session) };
}

const post = (body: string, type: readonly [string, string] = TYPE) => ({
  method: 'POST',
  url: URL_OF_FORM,
  headers: [type],
  body,
});

it('sends the token of the page that the same session has requested', async () => {
  const { session, sent } = visitor();
  await session.send(post('user=%27a&csrf_token=old&Login=Login'));
  assert.deepEqual(sent, ['GET', 'POST user=%27a&csrf_token=fresh%2B1&Login=Login']);
});

it('requests no page for what has no token, or is no form', async () => {
  const { session, sent } = visitor();
  await session.send(post('user=a'));
  await session.send(post('{"csrf_token":"old"}', ['Content-Type', 'application/json']));
  await session.send({ method: 'GET', url: `${URL_OF_FORM}?token=1` });
  assert.deepEqual(sent, ['POST user=a', 'POST {"csrf_token":"old"}', 'GET']);
});

it('sends the request as it is where the page has no such field', async () => {
  const { session, sent } = visitor('<form method="post"><input name="csrf_token" value="typed"></form>');
  await session.send(post('csrf_token=old'));
  assert.deepEqual(sent, ['GET', 'POST csrf_token=old']);
});
