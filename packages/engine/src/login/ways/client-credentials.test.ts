import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  account,
  createLoginSites,
  json,
  type Reply,
  type Seen,
  standingClock,
} from '@sortie/testing/targets/login-site.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import { logIn } from '../log-in.ts';

const { start, toolsFor, closeAll } = createLoginSites();
afterEach(closeAll);

const client: EngineCredential = {
  ...account,
  kind: 'BEARER_TOKEN',
  user: 'client:1',
  pass: 's3cret +/&',
  scope: 'read write',
  audience: 'https://api.shop.test',
};
const basic = `Basic ${Buffer.from('client%3A1:s3cret+%2B%2F%26').toString('base64')}`;

type Issue = (seen: Seen) => 'TOKEN' | Reply;

const isByHeader = ({ headers }: Seen) => headers.authorization === basic;
const ifByHeader: Issue = (seen) => (isByHeader(seen) ? 'TOKEN' : json({ error: 'invalid_client' }, 401));

/** Starts an issuer of numbered tokens and a target that accepts only the newest. */
async function scene(issue: Issue = ifByHeader, answer: object = { token_type: 'bearer', expires_in: 100 }) {
  let given = 0;
  const issuer = await start((seen) => {
    const issued = issue(seen);
    return issued === 'TOKEN' ? json({ access_token: `token-number-${++given}`, ...answer }) : issued;
  });
  const target = await start(({ headers }) => {
    const isKnown = headers.authorization === `Bearer token-number-${given}`;
    return isKnown ? json({ orders: 3 }) : json({ message: 'Who are you?' }, 401);
  });
  const tokenUrl = `${issuer.server.url}/oauth/token?tenant=1`;
  const clock = standingClock();
  const { tools, redactor } = toolsFor(target.server, '/', { clock }, [tokenUrl]);
  const answered = await logIn({ ...client, tokenUrl }, tools);
  return { answered, issuer, target, clock, redactor };
}

describe('a token by client credentials', () => {
  it('is asked for with id and secret in the header, scope and audience in the body', async () => {
    const { answered, issuer, target, redactor } = await scene();
    assert.ok('proof' in answered, JSON.stringify(answered));
    assert.equal(issuer.seen.length, 1);
    assert.equal(issuer.seen[0]?.path, '/oauth/token?tenant=1');
    assert.deepEqual(
      [...(issuer.seen[0]?.body ?? [])],
      [
        ['grant_type', 'client_credentials'],
        ['scope', 'read write'],
        ['audience', 'https://api.shop.test'],
      ],
    );
    assert.ok(!target.seen.some(({ headers }) => headers.authorization?.startsWith('Basic')));
    assert.equal(redactor.redact(`token-number-1 ${basic}`), '[redacted] Basic [redacted]');
  });

  it('is asked for with both in the body where the header is not taken', async () => {
    const { answered, issuer } = await scene((seen) =>
      seen.body.get('client_id') === client.user && seen.body.get('client_secret') === client.pass
        ? 'TOKEN'
        : json({ error: 'invalid_client' }, 401),
    );
    assert.ok('proof' in answered, JSON.stringify(answered));
    assert.equal(issuer.seen.length, 2);
    assert.equal(issuer.seen[1]?.headers.authorization, undefined);
  });

  it('is renewed before it ends, once for requests at the same time', async () => {
    const { answered, issuer, target, clock } = await scene();
    assert.ok('proof' in answered);
    clock.pass(79_000);
    const { url } = target.server;
    assert.equal((await answered.session.send({ method: 'GET', url })).response?.status, 200);
    assert.equal(issuer.seen.length, 1);
    clock.pass(1_000);
    const both = await Promise.all([1, 2].map(() => answered.session.send({ method: 'GET', url })));
    assert.deepEqual(
      both.map(({ response }) => response?.status),
      [200, 200],
    );
    assert.equal(issuer.seen.length, 2);
  });

  it('lasts five minutes where nobody says how long', async () => {
    for (const answer of [{}, { expires_in: 'soon' }, { expires_in: -1 }]) {
      const { answered, issuer, target, clock } = await scene(ifByHeader, answer);
      assert.ok('proof' in answered, JSON.stringify(answer));
      clock.pass(239_000);
      await answered.session.send({ method: 'GET', url: target.server.url });
      assert.equal(issuer.seen.length, 1);
      clock.pass(1_000);
      await answered.session.send({ method: 'GET', url: target.server.url });
      assert.equal(issuer.seen.length, 2);
    }
  });

  it('that is not given out fails with what the issuer says, after two requests at most', async () => {
    const cases: [Issue, string, RegExp, number][] = [
      [() => json({ error: 'invalid_client' }, 401), 'USER_OR_PASSWORD', /401 and "invalid_client".*client id/s, 2],
      [() => json({ error: 'invalid_scope' }, 400), 'USER_OR_PASSWORD', /invalid_scope/, 1],
      [() => ({ status: 302, headers: { Location: '/elsewhere' } }), 'USER_OR_PASSWORD', /status 302/, 1],
      [() => json({ token: 'x' }), 'USER_OR_PASSWORD', /no token/, 1],
      [() => ({ status: 503 }), 'NO_ANSWER', /503/, 1],
      [() => json({ access_token: 'abc', token_type: 'mac' }), 'NOT_POSSIBLE', /type "mac"/, 1],
    ];
    for (const [issue, code, reason, requests] of cases) {
      const { answered, issuer, target } = await scene(issue);
      assert.ok('reason' in answered);
      assert.equal(answered.code, code);
      assert.match(answered.reason, reason);
      assert.equal(issuer.seen.length, requests);
      assert.deepEqual(target.seen, []);
    }
  });
});
