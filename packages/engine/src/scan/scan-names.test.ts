import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { startDnsServer } from '@sortie/testing/targets/dns-server.ts';
import { answersFrom, type Zone } from '@sortie/testing/targets/dns-zone.ts';
import { startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { createDnsClient, dnsLimits } from '../target/dns/client.ts';
import { runScan, scanLimits } from './run-scan.ts';
import { runSiteOrder } from './run-site-order.ts';

const zone: Zone = {
  'A site.test': ['127.0.0.1'],
  'NS site.test': ['ns.site.test'],
  'SOA site.test': ['x'],
  'SOA .': ['x'],
  'MX site.test': ['10 mx.site.test'],
  'TXT site.test': ['v=spf1 +all'],
};

/** Scans a site with this DNS zone. */
async function scan(options: Parameters<typeof answersFrom>[1]) {
  await using cleanUp = new AsyncDisposableStack();
  const names = await startDnsServer(answersFrom(zone, options));
  cleanUp.defer(() => names.close());
  const site = await startWebServer((_, response) => response.end('hello'));
  cleanUp.defer(() => site.close());
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address], userAgent: 'Sortie test' };
  const sender = testSender({ network, limits: scanLimits });
  cleanUp.defer(() => sender.close());
  const url = `http://site.test:${site.port}/`;
  const order = { type: 'scan', scanId: 'scn_1', url, attempt: 1, script: null, optedOut: [], network } as const;
  const dns = createDnsClient(network.resolvers, { ...dnsLimits, tryMs: 500 });
  const result = ScanResult.parse(await runScan(order, { sender, dns }));
  assert.ok('findings' in result, 'it was not judged');
  return { ...result, dns };
}

describe('a scan of a site with a name', () => {
  it('judges its names and its mail, within the limits of their groups', async () => {
    const { findings, dns } = await scan({ signed: ['.'] });
    const found = (group: string) => findings.filter(({ category }) => category === group);
    assert.deepEqual(
      found('dns')
        .map(({ checkId }) => checkId)
        .sort(),
      ['dns-caa-missing', 'dns-dnssec-missing', 'dns-ipv6-missing', 'dns-ns-single', 'dns-private-address'],
    );
    assert.deepEqual(
      found('email').map(({ checkId, severity }) => [checkId, severity]),
      [
        ['spf-permissive', 'HIGH'],
        ['dmarc-missing', 'MEDIUM'],
        ['mta-sts-missing', 'LOW'],
        ['dkim-selectors-unknown', 'INFO'],
        ['tls-rpt-missing', 'INFO'],
      ],
    );
    const costOf = (group: string) => found(group).reduce((sum, { scoreImpact }) => sum + scoreImpact, 0);
    assert.deepEqual([costOf('dns'), costOf('email')], [9, 25]);
    assert.ok(dns.packetsLeft() >= 0);
  });

  it('is judged without them when name servers say nothing else, and says so', async () => {
    const { findings, notRun } = await scan({ silent: /^(?!A{1,4} site\.test$)/ });
    assert.deepEqual(
      findings.map(({ category }) => category).filter((group) => group === 'email'),
      [],
    );
    const reason = notRun?.find(({ checkId }) => checkId === 'spf-missing')?.reason;
    assert.match(reason ?? '', /^The name servers did not respond in time\./);
  });

  it('does not connect where its name leads into a network that opted out', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const names = await startDnsServer(answersFrom(zone));
    cleanUp.defer(() => names.close());
    const site = await startWebServer((_, response) => response.end('hello'));
    cleanUp.defer(() => site.close());
    const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address], userAgent: 'Sortie test' };
    const order = { type: 'scan', scanId: 'scn_1', attempt: 1, script: null, network } as const;
    const message = await runSiteOrder({ ...order, url: `http://site.test:${site.port}/`, optedOut: ['127.0.0.0/30'] });
    assert.ok(message.type === 'scanned' && 'failure' in message.result);
    assert.equal(message.result.failure.code, 'TARGET_REFUSED');
    assert.match(message.result.failure.message, /^site\.test: The owner of 127\.0\.0\.1 has opted out of scans\./);
    assert.equal(site.connections(), 0);
  });
});
