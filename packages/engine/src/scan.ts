import { setTimeout as sleep } from 'node:timers/promises';
import { crash } from './crash.ts';
import type { ScanOrder } from './messages.ts';
import type { ScanResult } from './scan-result.ts';

const NOT_SCANNED: ScanResult = {
  failure: { code: 'NOT_SCANNED', message: 'Nothing was looked at: this engine has no checks yet.' },
};

export async function runScan({ script, attempt }: ScanOrder): Promise<ScanResult> {
  const scripted = script?.scan;
  if (!scripted) return NOT_SCANNED;
  await sleep(scripted.milliseconds);
  if (scripted.crash && attempt <= scripted.crash.times) await crash(scripted.crash.how);
  return scripted.result;
}
