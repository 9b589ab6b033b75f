import { canonicalNetwork } from '@sortie/engine';
import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { addOptOut, listOptOuts, removeOptOut } from '../scans/scans.ts';
import { readHost } from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { must, parseInput } from './input.ts';

const HOST = 'a host such as example.com, an address or a network such as 192.0.2.0/24, without scheme, port and path';

const One = z.strictObject({
  host: z.string(must(HOST)).transform((text, context) => {
    const host = readHost(text) ?? readNetwork(text);
    if (host !== undefined) return host;
    context.addIssue({ code: 'custom', message: `must be ${HOST}` });
    return z.NEVER;
  }),
});

/** Returns a network of a single address in the form of a host. */
function readNetwork(text: string): string | undefined {
  const network = canonicalNetwork(text);
  const [, address] = /^([\d.]+(?=\/32$)|.*(?=\/128$))/.exec(network ?? '') ?? [];
  return (address && (readHost(address) ?? readHost(`[${address}]`))) || network;
}

/** Returns the commands `sortie admin optout`. */
export function optoutCommands({ transact }: AdminContext) {
  return {
    async add(input: z.input<typeof One>) {
      const { host } = parseInput(One, input);
      return transact((tx) => addOptOut(tx, { host, actor: OPERATOR }));
    },

    async remove(input: z.input<typeof One>) {
      const { host } = parseInput(One, input);
      await transact((tx) => removeOptOut(tx, { host, actor: OPERATOR }));
      return { host };
    },

    list: () => transact(async (tx) => ({ hosts: await listOptOuts(tx) })),
  };
}
