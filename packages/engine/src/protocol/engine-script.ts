import { z } from 'zod';
import { Coverage } from './coverage.ts';
import { PentestFinding, retestKey } from './finding.ts';
import { meter, Phase, phases } from './phase.ts';
import { ScanResult } from './scan-result.ts';
import { MOST_GROUPS, Untested } from './untested.ts';

const milliseconds = z.int().min(0).max(3_600_000).default(0);

/** How the process fails before a step is done: exit code, signal, internal error, hang, or running out of memory. */
const Crash = z.strictObject({
  how: z.enum(['exit', 'kill', 'fault', 'hang', 'memory']),
  /** Number of attempts, from the first, that fail this way. */
  times: z.int().min(1).max(100),
});

const Step = z.strictObject({
  phase: Phase,
  milliseconds,
  requests: meter.default(0),
  modelMicrodollars: meter.default(0),
  findings: z.array(PentestFinding).max(100).default([]),
  /** Texts to ask the model, one after the other; nothing without a model. */
  asks: z.array(z.string().min(1).max(1_000)).max(100).optional(),
  crash: Crash.optional(),
});

const ScriptedScan = z.strictObject({ milliseconds, crash: Crash.optional(), result: ScanResult });

/** What the engine simulates, for tests of everything around it. */
export const EngineScript = z.strictObject({
  steps: z
    .array(Step)
    .max(1_000)
    .refine((steps) => steps.every(({ phase }, index) => index === 0 || isForward(steps[index - 1]?.phase, phase)), {
      error: `must go through the phases in their order: ${phases.join(', ')}`,
    })
    .default([]),
  outcome: z.enum(['COMPLETED', 'FAILED', 'CANCELLED']).default('COMPLETED'),
  summary: z.string().min(1).max(5_000).default('A script was played; nothing was tested.'),
  untested: z.array(Untested).max(MOST_GROUPS).optional(),
  coverage: Coverage.optional(),
  retested: z.array(retestKey).optional(),
  scan: ScriptedScan.optional(),
});
export type EngineScript = z.output<typeof EngineScript>;
export type ScriptedCrash = z.output<typeof Crash>;

function isForward(from: Phase | undefined, to: Phase): boolean {
  return from === undefined || phases.indexOf(from) <= phases.indexOf(to);
}
