import type { Sender } from '../http/exchange/sender.ts';
import { createEgressLedger, UNMASKED } from '../http/record/egress-ledger.ts';
import { createSender, type SenderOptions } from '../http/send/create-sender.ts';
import { checkOwnership } from '../ownership/check-ownership.ts';
import { lookAtServers } from '../ownership/prove-servers.ts';
import type { FromEngine, ScanOrder } from '../protocol/messages.ts';
import type { OwnershipOrder } from '../protocol/ownership-messages.ts';
import { createDnsClient } from '../target/dns/client.ts';
import { createNameLookUp, pinHost } from '../target/resolve.ts';
import { createScanScope } from '../target/scope.ts';
import { runScan, scanLimits } from './run-scan.ts';

/** Performs a scan or an ownership check of a site. */
export async function runSiteOrder(order: ScanOrder | OwnershipOrder): Promise<FromEngine> {
  const { network } = order;
  if (order.type === 'scan') {
    const { scanId, optedOut, url, addresses } = order;
    const resolver = createNameLookUp(network.resolvers);
    const lookUp = addresses === undefined ? resolver : pinHost(resolver, new URL(url).hostname, addresses);
    const scope = createScanScope(optedOut);
    // A bad certificate is a finding and must not end the scan.
    return withScanSender(
      { network, runId: scanId, verifyTls: false, isHttp2Allowed: true, scope, optedOut, lookUp },
      async (sender) => {
        const result = await runScan(order, { sender, dns: createDnsClient(network.resolvers) });
        return { type: 'scanned', scanId, result, egress: sender.takeEgress() };
      },
    );
  }
  const { checkId } = order;
  const ledger = createEgressLedger(UNMASKED);
  return withScanSender({ network, runId: checkId, scope: createScanScope(), ledger }, async (sender) => {
    const resolver = createNameLookUp(network.resolvers);
    const { servers } = order;
    const result = await checkOwnership(order, {
      sender,
      resolver,
      egress: sender.takeEgress,
      lookAtServers: servers && (() => lookAtServers(servers, { network, runId: checkId, resolver, ledger })),
    });
    return { type: 'owned', checkId, result };
  });
}

/** Runs `use` with a sender under the limits of a scan, and closes the sender afterwards. */
export async function withScanSender<T>(
  options: Omit<SenderOptions, 'limits'>,
  use: (sender: Sender) => Promise<T>,
): Promise<T> {
  const sender = createSender({ ...options, limits: scanLimits });
  try {
    return await use(sender);
  } finally {
    await sender.close();
  }
}
