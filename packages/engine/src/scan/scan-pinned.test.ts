import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { runSiteOrder } from './run-site-order.ts';

let site: TargetServer;
let names: NameServer;
before(async () => {
  site = await startWebServer((_, response) => response.end('hello'));
  // As after a DNS change: a different address than the counted one.
  names = await startNameServer((_, type) => (type === 'A' ? ['127.0.0.66'] : []));
});
after(() => Promise.all([site.close(), names.close()]));

async function scan(addresses: readonly string[] | null) {
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address], userAgent: 'Sortie test' };
  const url = `http://Site.test.:${site.port}/`;
  const order = { type: 'scan', scanId: 'scn_1', url, attempt: 1, script: null, optedOut: [], network } as const;
  const told = await runSiteOrder({ ...order, addresses });
  assert.ok(told.type === 'scanned');
  return told;
}

describe('a scan whose host was resolved when it was counted', () => {
  it('connects to the counted addresses only, whatever DNS answers later', async () => {
    const { result, egress } = await scan(['127.0.0.1']);
    assert.ok('score' in result, JSON.stringify(result));
    assert.deepEqual([...new Set(egress.map(({ address }) => address))], ['127.0.0.1']);
  });

  it('connects to nothing when the lookup failed', async () => {
    const { result, egress } = await scan(null);
    assert.ok('failure' in result && result.failure.code === 'TARGET_UNREACHABLE', JSON.stringify(result));
    assert.deepEqual(egress, []);
  });
});
