import { randomBytes } from 'node:crypto';
import { toFailureHere } from '../evidence/gathering-failure.ts';
import type { Watch } from '../evidence/watch.ts';
import type { Network } from '../protocol/network-settings.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { createDnsClient } from '../target/dns/client.ts';
import type { ScannedUrl } from '../target/scan-url.ts';
import { createScanScope } from '../target/scope.ts';
import { gather, judgeGathered } from './run-scan.ts';
import { withScanSender } from './run-site-order.ts';
import { type GatheredScan, readScan } from './scan-archive.ts';

export { writeScan } from './scan-archive.ts';

/** A scan without a server: what was gathered, and what the checks say about it. */
export interface JudgedScan {
  scan: GatheredScan;
  result: ScanResult;
}

/** A collector has started or finished. */
export interface ScanProgress {
  collector: string;
  isOver: boolean;
  /** Returns the current number. */
  requestsSent(): number;
}

interface LocalScanOrder extends ScannedUrl {
  network: Network;
  onProgress?(progress: ScanProgress): void;
}

/** Runs a scan in this process, under the same rules and limits as the service. */
export async function scanLocally({ url, domain, network, onProgress }: LocalScanOrder): Promise<JudgedScan> {
  const id = `scn_${randomBytes(10).toString('hex')}`;
  const createdAt = new Date().toISOString();
  const looked = await withScanSender(
    { network, runId: id, verifyTls: false, isHttp2Allowed: true, scope: createScanScope() },
    async (sender) => {
      const watch: Watch = async (collector, gathering) => {
        const { requestsSent } = sender;
        onProgress?.({ collector, isOver: false, requestsSent });
        const gathered = await gathering;
        onProgress?.({ collector, isOver: true, requestsSent });
        return gathered;
      };
      const dns = createDnsClient(network.resolvers);
      const gathered = await gather(url, { sender, watch, dns });
      return { gathered: 'code' in gathered ? toFailureHere(gathered) : gathered, egress: sender.takeEgress() };
    },
  );
  return judge({ id, url, domain, createdAt, completedAt: new Date().toISOString(), ...looked });
}

/** Validates the result as a worker does. */
const judge = (scan: GatheredScan): JudgedScan => ({ scan, result: ScanResult.parse(judgeGathered(scan.gathered)) });

/** Scores a saved scan again without network access, or returns why the text is not a saved scan. */
export function replayScan(text: string): JudgedScan | { refusal: string } {
  const scan = readScan(text);
  if ('refusal' in scan) return scan;
  try {
    return judge(scan);
  } catch (error) {
    return { refusal: `is damaged: ${error instanceof Error ? error.message : error}` };
  }
}
