import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call } from '@sortie/testing/http/call.ts';
import { assertRefusedInDashboard, createVisitor } from '@sortie/testing/http/visitor.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let other: TestServer;
before(async () => {
  // Behind a proxy that terminates TLS, browsers reach the nodes over https.
  world = await createWorld({ flags: ['--no-demo', '--behind-proxy', '1'] });
  other = await world.addServer();
});
after(() => world.end());

const visit = ({ baseUrl }: { baseUrl: string }) => createVisitor(baseUrl, baseUrl.replace('http:', 'https:'));

describe('failed sign-ins', () => {
  it('count on all nodes together', async () => {
    await visit(world.server).signUp('locked@example.com');
    for (let failures = 0; failures < 10; failures++) {
      const { baseUrl } = failures % 2 === 0 ? world.server : other;
      assert.equal((await visit({ baseUrl }).signIn('locked@example.com', 'not the password')).status, 401);
    }
    for (const { baseUrl } of [world.server, other]) {
      assertRefusedInDashboard(await visit({ baseUrl }).signIn('locked@example.com'), 'RATE_LIMITED');
    }
  });
});

describe('the cookies of a sign-in over https', () => {
  it('are bound to this host, and no other name of them is taken', async () => {
    const visitor = visit(world.server);
    await visitor.signUp('cookies@example.com');
    const { headers } = await visitor.signIn('cookies@example.com');
    const cookies = headers['set-cookie'] ?? [];
    assert.ok(cookies.length >= 2);
    for (const cookie of cookies) {
      assert.match(cookie, /^__Host-sortie\.\w+=/);
      for (const flag of ['Secure', 'HttpOnly', 'Path=/', 'SameSite=Lax'])
        assert.ok(cookie.split('; ').includes(flag), cookie);
      assert.doesNotMatch(cookie, /domain/i);
    }
    const me = (cookie: string) => call(`${other.baseUrl}/api/me`, { headers: { cookie } });
    assert.equal((await me(visitor.cookie())).status, 200);
    for (const prefix of ['', '__Secure-']) {
      assert.equal((await me(visitor.cookie().replaceAll('__Host-', prefix))).status, 401, prefix);
    }
  });
});
