import type { Client, ScanFinding, ScanJudgement, ScanPolicy, StartedScan } from '@sortie/sdk';
import { withShell } from '../../api/api-command.ts';
import type { ApiOptions, Shell } from '../../api/command-context.ts';
import { exitCodes } from '../../api/explain-failure.ts';
import { retryText } from '../../api/retry-text.ts';
import { readWaitOptions, type WaitFlags } from '../../api/wait-options.ts';
import { CommandEnd, usageError } from '../../terminal/command-error.ts';
import { Interrupted, untilInterrupted } from '../../terminal/interrupt.ts';
import { shown } from '../../terminal/text.ts';
import { showWaiting } from '../../terminal/waiting.ts';
import { failureText, type PolicyFlags, readScanPolicy } from './scan-policy.ts';
import { failedScanText, resultOfScan, scanHead } from './service-scan-text.ts';

export interface RemoteScanOptions extends ApiOptions, WaitFlags, PolicyFlags {
  idempotencyKey?: string;
  verbose?: boolean;
  save?: string;
  allowAddress?: string[];
}

export function runRemoteScan(url: string, options: RemoteScanOptions): Promise<void> {
  return withShell(options, `${shown(url)} could not be scanned`, async (shell) => {
    if (options.save !== undefined || options.allowAddress) throw usageError('--save and --allow-address need --local');
    const wait = { ...readWaitOptions(options, '15m', '2s'), policy: readScanPolicy(options) };
    const client = await shell.client();
    const key = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey };
    const { data: started } = await client.scans.start({ url }, key);
    try {
      const judgement = await untilInterrupted((signal) => follow(shell, client, started, { ...wait, signal }));
      report(shell, judgement, options.verbose ?? false);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      process.stderr.write(`\nThe scan continues. Show it with: npx sortie scan view ${started.id}\n`);
      throw new CommandEnd(error.exitCode);
    }
  });
}

type Wait = ReturnType<typeof readWaitOptions> & { policy: ScanPolicy; signal: AbortSignal };

async function follow(shell: Shell, client: Client, { id, domain }: StartedScan, wait: Wait): Promise<ScanJudgement> {
  const { isAnimated, isQuiet, clock } = shell;
  const waiting = showWaiting({ output: process.stderr, isAnimated, isQuiet, untilNextPoll: clock.untilNextPoll });
  try {
    waiting.tell({ state: 'STARTED', detail: `scan ${id} of ${domain}` });
    return await client.waitForScan(id, {
      ...wait,
      onRetry: (retry) => waiting.note(retryText(retry)),
      onProgress: ({ scan }) => waiting.tell({ state: scan.status, detail: `scan ${id} of ${domain}` }),
    });
  } finally {
    waiting.stop();
  }
}

function exitCodeOf(judgement: ScanJudgement): number {
  if (judgement.kind === 'ended') {
    return judgement.scan.failure?.code === 'TARGET_REFUSED' ? exitCodes.refused : exitCodes.endedRun;
  }
  const { failedGate: failed, undecided, unsupported } = exitCodes;
  return { passed: 0, failed, undecided, unsupported }[judgement.kind];
}

function report(shell: Shell, judgement: ScanJudgement, isVerbose: boolean): void {
  const exitCode = exitCodeOf(judgement);
  const findings = 'findings' in judgement ? judgement.findings : [];
  const failing = 'failing' in judgement ? judgement.failing.map(({ id }) => id) : [];
  const document = { schema: 'sortie.scan/1', outcome: judgement.kind, exitCode, ...judgement.scan, findings, failing };
  shell.print(document, () => textOf(shell, judgement, findings, isVerbose));
  if (exitCode !== 0) throw new CommandEnd(exitCode);
}

function textOf(shell: Shell, judgement: ScanJudgement, findings: readonly ScanFinding[], isVerbose: boolean): string {
  const { kind, scan } = judgement;
  if (kind === 'ended') return failedScanText(scan);
  if (kind !== 'passed' && kind !== 'failed') {
    const resume = `Undecided: the scan is still in progress. Show it with: npx sortie scan view ${shown(scan.id)}\n`;
    return scanHead(scan) + resume;
  }
  const verdict = kind === 'failed' ? failureText(shell.paint, judgement) : '';
  return scanHead(scan) + resultOfScan(shell, scan, { findings, isVerbose }) + verdict;
}
