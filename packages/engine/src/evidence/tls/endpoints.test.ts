import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createServer, type TlsOptions } from 'node:tls';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { issue, rsaKeys } from '@sortie/testing/targets/certificates.ts';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { isMissing } from '../missing.ts';
import { gatherEndpoints } from './endpoints.ts';

const keys = rsaKeys(2_048);
const good = issue({ name: 'site.test', names: ['site.test'], keys });
const old = issue({ name: 'site.test', names: ['old.test'], keys, from: -60, to: -1 });

/** Starts servers at 127.0.0.1, 127.0.0.2 and so on, all on one port. */
async function startMachines(machines: readonly TlsOptions[]) {
  const cleanUp = new AsyncDisposableStack();
  let port = 0;
  for (const [index, options] of machines.entries()) {
    const server = createServer(options).on('tlsClientError', () => {});
    cleanUp.defer(() => new Promise<void>((done) => server.close(() => done())));
    await new Promise<void>((done, fail) => server.once('error', fail).listen(port, `127.0.0.${index + 1}`, done));
    port ||= (server.address() as { port: number }).port;
  }
  return { port, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
}

async function look(port: number, ipv4: readonly string[], scheme = 'https') {
  await using cleanUp = new AsyncDisposableStack();
  const sender = testSender({ verifyTls: false });
  cleanUp.defer(() => sender.close());
  const site = { host: 'site.test', aliases: [], isDangling: false, ipv4, ipv6: [] };
  const hops = [{ url: `${scheme}://site.test:${port}/`, status: 200, headers: [] }];
  const endpoints = await gatherEndpoints(sender, { hops }, { domain: 'site.test', site, counterpart: null });
  const connections = sender.takeEgress().reduce((sum, entry) => sum + entry.connections, 0);
  return { endpoints, connections };
}

const fine = { isForHost: true, isInTime: true, isSelfSigned: true };

describe('the addresses of a site', () => {
  it('are asked one by one, by the name of the site', async () => {
    await using machines = await startMachines([
      { key: good.keyPem, cert: good.pem },
      { key: old.keyPem, cert: old.pem },
      { key: good.keyPem, cert: good.pem, minVersion: 'TLSv1.3' },
      { key: good.keyPem, cert: good.pem },
    ]);
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
    const { endpoints, connections } = await look(machines.port, addresses);
    assert.deepEqual(endpoints, [
      { address: '127.0.0.1', version: 0x0303, certificate: fine },
      { address: '127.0.0.2', version: 0x0303, certificate: { ...fine, isForHost: false, isInTime: false } },
      { address: '127.0.0.3', version: null, certificate: null },
    ]);
    assert.equal(connections, 3);
  });

  it('are left out where nobody answers', async () => {
    await using machines = await startMachines([{ key: good.keyPem, cert: good.pem }]);
    const { endpoints } = await look(machines.port, ['127.0.0.1', '127.0.0.9']);
    assert.deepEqual(endpoints, [{ address: '127.0.0.1', version: 0x0303, certificate: fine }]);
  });

  it('are not asked when there is one, no TLS, no name, or nothing known of it', async () => {
    assert.deepEqual(await look(1, ['127.0.0.1']), { endpoints: null, connections: 0 });
    assert.deepEqual(await look(1, ['127.0.0.1', '127.0.0.2'], 'http'), { endpoints: null, connections: 0 });
    const openSocket = () => assert.fail('somebody was contacted');
    const { mainPage } = toArtifacts({});
    assert.equal(await gatherEndpoints({ openSocket }, mainPage, null), null);
    assert.ok(isMissing(await gatherEndpoints({ openSocket }, mainPage, { missing: 'Silence.' })));
  });
});
