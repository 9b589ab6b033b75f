import { type JudgedScan, loadScanner, readScanUrl } from '@sortie/engine';
import { exitCodes } from '../../api/explain-failure.ts';
import { readConfig } from '../../settings/config.ts';
import { networkFor } from '../../settings/network.ts';
import { CommandEnd, CommandError, usageError } from '../../terminal/command-error.ts';
import { createPaint } from '../../terminal/paint.ts';
import { shown } from '../../terminal/text.ts';
import { judgeDocument } from './judge-document.ts';
import { showProgress } from './progress.ts';
import { toDocument } from './scan-document.ts';
import { openForSaving, readSaved } from './scan-files.ts';
import { failureText, type PolicyFlags, readScanPolicy } from './scan-policy.ts';
import { scanText } from './scan-text.ts';

export interface ScanReplayOptions extends PolicyFlags {
  json?: boolean;
  color?: boolean;
  verbose?: boolean;
}

export interface ScanOptions extends ScanReplayOptions {
  local?: boolean;
  save?: string;
  allowAddress?: string[];
}

/** Exit code of a scan that could not be judged, except after a refusal. */
const NOT_JUDGED = 3;
const REFUSED = 5;

export async function runScan(sent: string, { save, allowAddress = [], ...output }: ScanOptions): Promise<void> {
  readScanPolicy(output);
  const config = readConfig();
  const network = networkFor(config, allowAddress);
  const read = readScanUrl(sent);
  if ('refusal' in read) throw usageError(`${sent} ${read.refusal}`);
  const file = save === undefined ? undefined : await openForSaving(save);
  const progress = showProgress(read.url, process.stderr, process.stderr.isTTY && !config.isUnattended);
  const { scanLocally, writeScan } = await loadScanner();
  const judged = await scanLocally({ ...read, network, onProgress: progress.tell }).finally(progress.stop);
  if (file) {
    await file.write(writeScan(judged.scan));
    process.stderr.write(`Saved to ${save}. Run the checks on it again with: npx sortie scan replay ${save}\n`);
  }
  print(judged, output);
}

export async function runReplay(name: string, output: ScanReplayOptions): Promise<void> {
  const text = await readSaved(name);
  const judged = (await loadScanner()).replayScan(text);
  if ('refusal' in judged) throw usageError(`${name} ${shown(judged.refusal)}`);
  print(judged, output);
}

function print(judged: JudgedScan, options: ScanReplayOptions): void {
  const document = toDocument(judged);
  if (document.failure !== null) {
    const { code, message } = document.failure;
    const exitCode = code === 'TARGET_REFUSED' ? REFUSED : NOT_JUDGED;
    throw new CommandError(`${shown(message)} [${code}]`, { code, exitCode, document });
  }
  const verdict = judgeDocument(document, readScanPolicy(options));
  const exitCode = verdict.isBroken ? exitCodes.failedGate : 0;
  const failing = verdict.isBroken ? verdict.failing.map(({ id }) => id) : [];
  const outcome = { outcome: verdict.isBroken ? 'failed' : 'passed', exitCode, failing };
  // Without a policy, the document is exactly the Scan of the API.
  const told = hasPolicy(options) ? { ...document, ...outcome } : document;
  const paint = createPaint(process.stdout, options.color === false ? 'never' : readConfig().color);
  const failure = verdict.isBroken ? failureText(paint, verdict) : '';
  const text = () => scanText(judged, document, { paint, isVerbose: options.verbose ?? false }) + failure;
  process.stdout.write(options.json ? `${JSON.stringify(told)}\n` : text());
  if (exitCode !== 0) throw new CommandEnd(exitCode);
}

const hasPolicy = ({ failOn, minScore }: PolicyFlags) => failOn !== undefined || minScore !== undefined;
