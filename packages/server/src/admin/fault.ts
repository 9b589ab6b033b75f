import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { orderFault } from '../starts/starts.ts';
import type { AdminContext } from './context.ts';
import { countOf, parseInput } from './input.ts';

const HandOver = z.strictObject({ failNext: countOf(10_000) });

export function faultCommands({ transact }: AdminContext) {
  return {
    async handover(input: z.input<typeof HandOver>) {
      const { failNext } = parseInput(HandOver, input);
      await transact((tx) => orderFault(tx, { name: 'handover', times: failNext, actor: OPERATOR }));
      return { failNext };
    },
  };
}
