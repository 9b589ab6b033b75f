import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { advanceClock } from '../clock/clock.ts';
import type { AdminContext } from './context.ts';
import { parseDuration } from './duration.ts';
import { must, parseInput } from './input.ts';

const DURATION = 'a duration such as 125s, 5m, 24h or 30d';

const Advance = z.strictObject({
  duration: z.string(must(DURATION)).transform((text, context) => {
    const seconds = parseDuration(text);
    if (seconds !== undefined) return seconds;
    context.addIssue({ code: 'custom', message: `must be ${DURATION}` });
    return z.NEVER;
  }),
});

/** Returns the commands `sortie admin clock`. */
export function clockCommands({ transact }: AdminContext) {
  return {
    async advance(input: z.input<typeof Advance>) {
      const { duration } = parseInput(Advance, input);
      return transact(async (tx) => ({ now: await advanceClock(tx, { seconds: duration, actor: OPERATOR }) }));
    },
  };
}
