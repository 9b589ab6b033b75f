import { z } from 'zod';
import { balanceShape, levelShape, summary } from './shapes.ts';
import { defineTool, reading } from './tool.ts';

const sessionShape = z
  .object({ maxCredits: z.number(), started: z.number(), left: z.number() })
  .nullable()
  .describe('What may still be started while this server runs; null when it may start nothing.');

const balance = defineTool({
  name: 'sortie_credits_balance',
  title: 'Credits',
  description: 'Available and held credits of the account, what expires next, and how much of the caps is left.',
  annotations: reading(false),
  doing: 'The credits could not be read',
  input: z.strictObject({}),
  output: z.object({ summary, ...balanceShape, session: sessionShape }),
  async run(_input, { client, calls, purse }) {
    const { data } = await client.credits.balance(calls);
    const started = purse?.spent() ?? 0;
    return {
      ...data,
      summary: `${data.available} credits available, ${data.held} held`,
      session: purse ? { maxCredits: purse.ceiling, started, left: purse.ceiling - started } : null,
    };
  },
});

const levels = defineTool({
  name: 'sortie_levels',
  title: 'Levels and prices',
  description: 'Price and limits of each pentest level. The price is what sortie_pentest_start has to confirm.',
  annotations: reading(false),
  doing: 'The levels could not be read',
  input: z.strictObject({}),
  output: z.object({ summary, levels: z.array(levelShape) }),
  async run(_input, { client, calls }) {
    const { data } = await client.levels.list(calls);
    const prices = data.levels.map(({ depth, credits }) => `${depth} ${credits}`).join(', ');
    return { summary: `Credits for each depth: ${prices}`, levels: data.levels };
  },
});

export const creditsTools = [balance, levels];
