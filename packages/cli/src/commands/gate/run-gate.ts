import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Judgement } from '@sortie/sdk';
import type { Command } from 'commander';
import { withShell } from '../../api/api-command.ts';
import type { Shell } from '../../api/command-context.ts';
import { exitCodes, explainFailure, isFailure } from '../../api/explain-failure.ts';
import { readWaitOptions, type WaitFlags } from '../../api/wait-options.ts';
import { followPentest } from '../../pentest/follow-pentest.ts';
import { readSummary } from '../../pentest/read-summary.ts';
import { resumeLine } from '../../pentest/resume-line.ts';
import { readLastRun, readRunFile, writeRunFile } from '../../pentest/run-file.ts';
import type { StartOptions } from '../../pentest/start-options.ts';
import { type SendStart, type StartedRun, startPentest, targetOf } from '../../pentest/start-pentest.ts';
import { CommandEnd, usageError } from '../../terminal/command-error.ts';
import { Interrupted, untilInterrupted } from '../../terminal/interrupt.ts';
import { gateDocument, gateText, type Told } from './gate-text.ts';
import { type PolicyOptions, readPolicyOptions } from './policy-options.ts';

export interface GateOptions extends StartOptions, PolicyOptions, WaitFlags {
  start?: boolean;
  waitSlot?: boolean;
  failFast?: boolean;
}

const codes: Record<Judgement['kind'], number> = {
  passed: 0,
  failed: exitCodes.failedGate,
  ended: exitCodes.endedRun,
  undecided: exitCodes.undecided,
  unsupported: exitCodes.unsupported,
};

export function runGate(given: string | undefined, options: GateOptions, command: Command): Promise<void> {
  const resume = (id: string) => resumeLine(command, id, ['start', ...forStarts]);
  return withShell(options, 'The gate could not decide', async (shell) => {
    const usual = shell.settings.get('gate.maxWait')?.value ?? '60m';
    const wait = readWaitOptions(options, usual, '20s');
    refuseMixture(given, options);
    const run: { id?: string } = options.start ? {} : { id: given ?? lastRun(shell) };
    const targetUrl = options.start && targetOf(shell, options);
    const judged = { ...run, ...(targetUrl && { targetUrl }) };
    const { policy, takenOutOf, comparedWith } = await readPolicyOptions(shell, options, judged);
    try {
      await untilInterrupted(async (signal) => {
        const started = options.start ? await start(shell, options, signal, wait) : undefined;
        const id = started?.id ?? run.id ?? '';
        run.id = id;
        const judgement = await follow(shell, id, { ...wait, policy, failFast: options.failFast ?? false, signal });
        const takenOut = 'policy' in judgement ? takenOutOf(judgement.findings) : [];
        await report(shell, judgement, { started, takenOut, comparedWith }, resume(id));
      });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw run.id === undefined
        ? detach(shell, error, unknownStart())
        : leaveRun(shell, error, run.id, resume(run.id));
    }
  });
}

const forStarts = [
  'target',
  'verification',
  'depth',
  'credentials',
  'apiDescription',
  'idempotencyKey',
  'salt',
  'new',
  'waitSlot',
] as const;

/** Refuses start flags without --start: the gate would judge the previous run instead of the one described. */
function refuseMixture(given: string | undefined, options: GateOptions): void {
  if (options.start && given !== undefined) throw usageError('--start starts a new run: omit the id');
  const idle = options.start ? undefined : forStarts.find((name) => options[name] !== undefined);
  if (idle === undefined) return;
  throw usageError(
    `--${idle.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --start: without it, the gate judges an existing run`,
  );
}

type Wait = ReturnType<typeof readWaitOptions>;

async function start(shell: Shell, options: GateOptions, signal: AbortSignal, wait: Wait): Promise<StartedRun> {
  const { waitSlot } = options;
  try {
    return await startPentest(shell, options, signal, waitSlot ? sendWhenFree(shell, signal, wait) : undefined);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const isReused = error.code === 'IDEMPOTENCY_KEY_REUSED';
    const hint = isReused
      ? 'The request differs from the first one with this key: add --new or another --salt.'
      : undefined;
    throw explainFailure(error, 'The run could not be started', { hint, baseUrl: shell.settings.baseUrl.value });
  }
}

/** Waits a poll interval between attempts, because refused starts count against the rate limit. */
const sendWhenFree =
  ({ say }: Shell, signal: AbortSignal, { maxWaitMs, pollMs }: Wait): SendStart =>
  async (client, body, idempotencyKey) => {
    const giveUpAt = performance.now() + maxWaitMs;
    for (;;) {
      try {
        const { data, replayed } = await client.pentests.start(body, { idempotencyKey, signal });
        return { ...data, idempotencyKey, replayed };
      } catch (error) {
        const isFull = isFailure(error) && error.code === 'PENTEST_CONCURRENCY_EXCEEDED';
        if (!isFull || performance.now() + pollMs > giveUpAt) throw error;
        say('Limit of concurrent pentests reached: waiting for one to end');
        await sleep(pollMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  };

function lastRun({ config, settings, say }: Shell): string {
  const kept = readLastRun();
  const id = config.runId ?? (kept?.baseUrl === settings.baseUrl.value ? kept.id : null);
  if (id) {
    say(`Run ${id} (${config.runId ? 'from SORTIE_RUN_ID' : 'last run of this folder'})`);
    return id;
  }
  throw usageError('No run given: pass its id, set SORTIE_RUN_ID, or start one with --start');
}

type Following = Parameters<typeof followPentest>[3];

async function follow(shell: Shell, id: string, following: Following): Promise<Judgement> {
  const client: Client = await shell.client();
  try {
    return await followPentest(shell, client, id, following);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const isMissing = error.code === 'NOT_FOUND';
    const hint = isMissing ? 'Check the id and the key. Retests are not available through the API.' : undefined;
    throw explainFailure(error, `Run ${id} could not be judged`, { hint });
  }
}

async function report(shell: Shell, judgement: Judgement, told: Told, resume: string): Promise<void> {
  const { kind, pentest } = judgement;
  const isUntested = kind === 'undecided' && judgement.reason === 'untested';
  const exitCode = isUntested ? exitCodes.untested : codes[kind];
  const summary = kind === 'ended' ? await readSummary(await shell.client(), pentest.id) : null;
  const document = { ...gateDocument(judgement, exitCode, told), summary };
  shell.print(document, () => gateText(judgement, shell.paint, { summary, ...told, resume }));
  if (exitCode !== 0) throw new CommandEnd(exitCode);
}

/** Detaches from the run, which continues; only this command ends. */
function leaveRun(shell: Shell, interrupted: Interrupted, id: string, resume: string): CommandEnd {
  const baseUrl = shell.settings.baseUrl.value;
  if (readRunFile()?.id !== id) writeRunFile({ baseUrl, id, idempotencyKey: null, request: null });
  return detach(shell, interrupted, `The run continues. Resume: ${resume}`, id);
}

function detach(shell: Shell, { exitCode }: Interrupted, words: string, runId: string | null = null): CommandEnd {
  const document = { schema: 'sortie.gate/1', outcome: 'interrupted', exitCode, runId };
  if (shell.isJson) shell.print(document, () => '');
  process.stderr.write(`\n${words}\n`);
  return new CommandEnd(exitCode);
}

function unknownStart(): string {
  const key = readRunFile()?.idempotencyKey;
  const flag = key ? ` with --idempotency-key ${key}` : '';
  return `The run may have started: run the same command again${flag}; it does not start a second run.`;
}
