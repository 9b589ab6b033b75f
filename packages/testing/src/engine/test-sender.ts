import type { Sender } from '../../../engine/src/http/exchange/sender.ts';
import type { SenderLimits } from '../../../engine/src/http/limits/limits.ts';
import { createSender, type SenderOptions } from '../../../engine/src/http/send/create-sender.ts';
import type { Network } from '../../../engine/src/protocol/network-settings.ts';
import { createScanScope } from '../../../engine/src/target/scope.ts';

type Settings = Partial<Omit<SenderOptions, 'network' | 'limits'>> & {
  network?: Partial<Network>;
  limits?: Partial<SenderLimits>;
};

/** Returns a sender that may contact all of loopback, with limits so high that they only apply if a test sets them. */
export function testSender({ network, limits, ...options }: Settings = {}): Sender {
  return createSender({
    network: { allowAddresses: ['127.0.0.0/8', '::1/128'], resolvers: [], userAgent: 'Sortie-Test/1', ...network },
    scope: createScanScope(),
    runId: 'run-1',
    limits: { requests: 10_000, bytes: 1e9, untilMs: 3_600_000, perSecond: 10_000, atOnce: 4, ...limits },
    ...options,
  });
}
