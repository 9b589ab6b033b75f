import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StartPentest } from '@sortie/contract';
import { quickImports } from '../loading/bundles.ts';
import type { ProcessOrder, ProcessReport, StartCommand } from '../server/start-process.ts';
import type { Attempt, NodeEvents, StartNode } from './fleet.ts';
import type { WantedStart } from './starts.ts';

const program = path.join(import.meta.dirname, '../server/start-process.ts');

interface UnderWay {
  /** Whether the process has reported that it began. */
  isBegun: boolean;
  end(attempt: Attempt): void;
}

/** Starts a process that starts pentests without HTTP. Resolves when it is ready. */
export async function openStartProcess(order: ProcessOrder, { onChange, onCrash }: NodeEvents): Promise<StartNode> {
  const child = spawn(process.execPath, [quickImports, program, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const underWay = new Map<number, UnderWay>();
  let sent = 0;
  let isKilled = false;
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  // Writing to a process that is being killed fails; its end is handled below.
  child.stdin.on('error', () => undefined);

  const inFlight = () => [...underWay.values()].filter(({ isBegun }) => isBegun).length;

  /** Resolves after all its output has been read. */
  const closed = new Promise<boolean>((resolve) => {
    child.once('close', (code) => {
      const hadStart = inFlight() > 0;
      if (!isKilled) onCrash(`exit code ${code}: ${stderr}`);
      for (const { end } of underWay.values()) end({ outcome: 'broken' });
      underWay.clear();
      resolve(hadStart);
    });
  });

  function hear(report: ProcessReport): void {
    if ('begun' in report) {
      const start = underWay.get(report.begun);
      if (start) start.isBegun = true;
    } else if ('ended' in report) {
      underWay.get(report.ended)?.end(report.attempt);
      underWay.delete(report.ended);
    }
    onChange();
  }

  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const report = JSON.parse(line) as ProcessReport;
      if ('ready' in report) resolve();
      else hear(report);
    });
    closed.then(() => reject(new Error(`the process did not start: ${stderr}`)));
  });

  return {
    child,
    inFlight,
    send: ({ account, idempotencyKey, body }: WantedStart) =>
      new Promise((end) => {
        const number = ++sent;
        underWay.set(number, { isBegun: false, end });
        const { accountId, apiKeyId, userId } = account;
        const caller = { accountId, apiKeyId, userId };
        const command: StartCommand = { number, caller, idempotencyKey, body: body as StartPentest };
        child.stdin.write(`${JSON.stringify(command)}\n`);
      }),
    kill() {
      isKilled = true;
      child.kill('SIGKILL');
      return closed;
    },
  };
}
