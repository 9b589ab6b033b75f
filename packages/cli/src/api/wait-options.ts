import type { Command } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import { readDuration } from '../terminal/duration.ts';

export interface WaitFlags {
  maxWait?: string;
  poll?: string;
}

const DAY_MS = 24 * 60 * 60_000;

export const withWaitOptions = (command: Command, maxWait: string, poll: string): Command =>
  command
    .option('--max-wait <duration>', `maximum time to wait, such as 45m or 6h, up to 24h (default: ${maxWait})`)
    .option('--poll <duration>', `polling interval (default: ${poll})`);

export function readWaitOptions(flags: WaitFlags, maxWait: string, poll: string) {
  const maxWaitMs = readDuration('--max-wait', flags.maxWait ?? maxWait, DAY_MS);
  const pollMs = readDuration('--poll', flags.poll ?? poll, DAY_MS);
  if (pollMs === 0) throw usageError('--poll must be more than 0');
  return { maxWaitMs, pollMs };
}
