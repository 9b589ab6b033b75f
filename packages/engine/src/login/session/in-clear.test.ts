import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { account, standingClock } from '@sortie/testing/targets/login-site.ts';
import type { Driven } from '../../browser/drive.ts';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import { createRedactor } from '../../http/record/redactor.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import { createTries } from '../proof/tries.ts';
import { logInByForm } from '../ways/form-login.ts';
import { logInByJson } from '../ways/json-login.ts';
import { takeOver } from '../ways/take-over.ts';
import { createSession, type OpenSession } from './session.ts';
import { createOneTimeCodes } from './totp.ts';

const FORM = '<form method="post" action="/login"><input name="user"><input type="password" name="pass"></form>';
const codes = createOneTimeCodes(standingClock());

/** Every URL responds to GET with a login form and to POST with the validation error of a JSON login. */
function createTarget() {
  const sent: TargetRequest[] = [];
  const send = async (request: TargetRequest): Promise<Exchange> => {
    sent.push(request);
    const isPost = request.method === 'POST';
    const body = Buffer.from(isPost ? '{"message":"email and password are required"}' : FORM);
    const headers = [['Content-Type', isPost ? 'application/json' : 'text/html']] as const;
    return {
      request,
      response: { status: isPost ? 422 : 200, headers, body, isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  const open = (name: string | null) =>
    createSession({ sender: { send }, scope: () => undefined, redactor: createRedactor(), name });
  return { sent, open };
}

const cookiesIn = ({ headers = [] }: TargetRequest) => headers.filter(([name]) => name === 'Cookie').flat()[1] ?? '';

describe('secrets of an https target never travel in clear', () => {
  for (const [way, logIn] of [
    [
      'JSON',
      (session: OpenSession, targetUrl: string, lured: EngineCredential) =>
        logInByJson({ session, targetUrl, account: lured, codes, tries: createTries() }),
    ],
    [
      'a form',
      (session: OpenSession, targetUrl: string, lured: EngineCredential) =>
        logInByForm(session, targetUrl, lured, codes),
    ],
  ] as const) {
    it(`in a login by ${way} that leads to http`, async () => {
      const { sent, open } = createTarget();
      const lured = { ...account, instructions: 'POST http://shop.test/login' };
      const answer = await logIn(open('alice'), 'https://shop.test/', lured);
      assert.ok('reason' in answer && answer.code === 'NOT_POSSIBLE', JSON.stringify(answer));
      assert.match(answer.reason, /in cleartext to http:\/\/shop\.test\/login\. Use https\./);
      assert.ok(!JSON.stringify(sent).includes(account.pass));
    });
  }

  it('in cookies of an account, whether or not the target marks them as Secure', async () => {
    const { sent, open } = createTarget();
    const session = open('alice');
    await session.addCookie('sid=value-of-the-session; Path=/', 'https://shop.test/');
    await session.send({ method: 'GET', url: 'http://shop.test/' });
    await session.send({ method: 'GET', url: 'https://shop.test/' });
    await session.addCookie('plain=given-without-tls; Path=/', 'http://shop.test/');
    await session.send({ method: 'GET', url: 'http://shop.test/' });
    assert.deepEqual(sent.map(cookiesIn), ['', 'sid=value-of-the-session', 'plain=given-without-tls']);
  });

  it('in a cookie that is taken over from the browser, which stays Secure', async () => {
    const { open } = createTarget();
    const added: string[] = [];
    const session = { ...open('alice'), addCookie: async (text: string) => void added.push(text) };
    const cookie = { name: 'sid', value: 'x', path: '/' };
    const cookies = [
      { ...cookie, httpOnly: true, secure: true },
      { ...cookie, httpOnly: false, secure: false },
    ];
    const page = {
      context: () => ({ cookies: async () => cookies }),
      evaluate: async () => '',
      url: () => 'https://a/',
    };
    const driven = { page, exchanges: [] } as unknown as Driven;
    await takeOver(driven, { session, targetUrl: 'https://a/', account }, undefined);
    assert.deepEqual(added, ['sid=x; Path=/; HttpOnly; Secure', 'sid=x; Path=/']);
  });
});
