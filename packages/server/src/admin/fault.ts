import { EngineScript } from '@sortie/engine';
import { z } from 'zod';
import { OPERATOR } from '../audit/audit.ts';
import { orderFault } from '../starts/starts.ts';
import { orderScript } from '../worker/engine-script.ts';
import type { AdminContext } from './context.ts';
import { countOf, id, must, parseInput } from './input.ts';

const HandOver = z.strictObject({ failNext: countOf(10_000) });

/** The text of a JSON document; `none` removes the script. */
const script = z.string(must('a script as JSON, or none')).transform((text, context): EngineScript | null => {
  if (text.trim() === 'none') return null;
  const json = parseJson(text);
  const parsed = EngineScript.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  const reason = json === undefined ? 'it is not JSON' : `${issue?.message}${place}`;
  context.addIssue({
    code: 'custom',
    message: `is not a valid script: ${reason}. See docs/operating.md for an example`,
  });
  return z.NEVER;
});

const Engine = z.strictObject({ account: id.optional(), script });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the commands `sortie admin fault`. */
export function faultCommands({ transact }: AdminContext) {
  return {
    async handover(input: z.input<typeof HandOver>) {
      const { failNext } = parseInput(HandOver, input);
      await transact((tx) => orderFault(tx, { name: 'handover', times: failNext, actor: OPERATOR }));
      return { failNext };
    },

    async engine(input: z.input<typeof Engine>) {
      const { account, script } = parseInput(Engine, input);
      await transact((tx) => orderScript(tx, { accountId: account, script, actor: OPERATOR }));
      return { account: account ?? null, steps: script?.steps.length ?? null };
    },
  };
}
