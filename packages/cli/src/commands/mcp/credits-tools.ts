import { z } from 'zod';
import { balanceShape, levelShape, summary } from './shapes.ts';
import { defineTool, reading } from './tool.ts';

const sessionShape = z
  .object({ maxCredits: z.number(), started: z.number(), left: z.number() })
  .nullable()
  .describe('Remaining credit limit of this session; null if starts are not allowed.');

const balance = defineTool({
  name: 'sortie_credits_balance',
  title: 'Credits',
  description: 'Available and held credits of the account, the next expiry and the remaining budgets.',
  annotations: reading(false),
  doing: 'The credits could not be read',
  input: z.strictObject({}),
  output: z.object({ summary, ...balanceShape, session: sessionShape }),
  async run(_input, { client, calls, creditLimit }) {
    const { data } = await client.credits.balance(calls);
    const started = creditLimit?.spent() ?? 0;
    return {
      ...data,
      summary: `${data.available} credits available, ${data.held} held`,
      session: creditLimit ? { maxCredits: creditLimit.ceiling, started, left: creditLimit.ceiling - started } : null,
    };
  },
});

const levels = defineTool({
  name: 'sortie_levels',
  title: 'Levels and prices',
  description: 'Price and limits of each pentest level. sortie_pentest_start requires the price as confirmation.',
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
