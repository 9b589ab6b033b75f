import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { fetchFromInside } from './outside.ts';

describe('what a flaw can make the shop fetch', () => {
  it('is only made up, unless the range was allowed to connect', async () => {
    let visits = 0;
    const server = createServer((_request, response) => {
      visits++;
      response.end('really');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      assert.deepEqual(await fetchFromInside(`http://${place}/`, []), { problem: 'connection refused' });
      assert.equal(visits, 0);
      assert.deepEqual(await fetchFromInside(`http://${place}/id-1`, [place]), { content: 'really' });
      assert.equal(visits, 1);
    } finally {
      server.close();
      server.closeAllConnections();
    }
    assert.deepEqual(await fetchFromInside(`http://${place}/`, [place]), { problem: 'connection refused' });
  });

  it('is never another host than loopback, whatever was allowed', async () => {
    assert.deepEqual(await fetchFromInside('http://example.test/', ['example.test']), { problem: 'no such host' });
    for (const address of ['file:///etc/passwd', 'gopher://127.0.0.1', 'x']) {
      assert.deepEqual(await fetchFromInside(address, []), { problem: 'that is no address' });
    }
  });
});
