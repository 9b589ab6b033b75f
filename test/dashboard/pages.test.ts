import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call } from '@sortie/testing/http/call.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';
import { buildDashboard } from '@sortie/web';

let world: World;
before(async () => {
  assert.notEqual((await buildDashboard()).state, 'failed');
  world = await createWorld();
});
after(() => world.end());

const html = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('the pages of the dashboard', () => {
  it('have a strict policy with a nonce of their own', async () => {
    const [first, second] = await Promise.all([
      call(`${world.server.baseUrl}/`, html),
      call(`${world.server.baseUrl}/accounts/acc_1/runs`, html),
    ]);
    for (const { status, headers } of [first, second]) {
      assert.equal(status, 200);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'no-store');
    }
    assert.notEqual(first.headers['content-security-policy'], second.headers['content-security-policy']);
    const nonce = /'nonce-([^']+)'/.exec(String(first.headers['content-security-policy']))?.[1] ?? assert.fail();
    assert.ok(first.text.includes(`nonce="${nonce}"`));
  });

  it('do not hide the Error object from programs, nor below the API', async () => {
    for (const [path, options] of [
      ['/nope', {}],
      ['/api/nope', html],
      ['/v1/nope', html],
      ['/assets/nope.js', html],
      ['/assets/..%2Findex.html', html],
    ] as const) {
      const { status, body } = await call(world.server.baseUrl + path, options);
      assert.ok([401, 404].includes(status), path);
      assert.ok(body?.code, path);
    }
  });

  it('have scripts that browsers keep, compressed', async () => {
    const { text } = await call(`${world.server.baseUrl}/`, html);
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? assert.fail(text);
    const answer = await call(world.server.baseUrl + script, { headers: { 'accept-encoding': 'gzip, br' } });
    assert.match(String(answer.headers['cache-control']), /immutable/);
    assert.equal(answer.headers['content-encoding'], 'br');
    const again = { headers: { 'if-none-match': String(answer.headers.etag) } };
    assert.equal((await call(world.server.baseUrl + script, again)).status, 304);
  });
});
