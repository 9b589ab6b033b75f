import { confidences, severities } from '@sortie/contract';
import type { Judgement } from '@sortie/sdk';
import { z } from 'zod';
import { reasonOf } from '../gate/gate-text.ts';
import { readPolicyOptions } from '../gate/policy-options.ts';
import { shortFinding } from './pentest-tools.ts';
import { id, PAGE, pentestFindingShape, pentestShape, summary } from './shapes.ts';
import { defineTool, reading } from './tool.ts';

const outcomes = ['passed', 'failed', 'undecided', 'ended', 'unsupported'] as const satisfies Judgement['kind'][];

const policyShape = z.object({
  failOn: z.string(),
  minConfidence: z.string(),
  maxFindings: z.number(),
  acceptUntested: z.array(z.string()).optional(),
});
const untestedShape = z.object({ group: z.string(), reason: z.string(), cure: z.string() });

export const gateTool = defineTool({
  name: 'sortie_pentest_gate_check',
  title: 'Judge a pentest',
  description:
    'Judges a pentest by a policy, with one look: it never waits. Only "passed" is a pass. "failed": findings over the ' +
    'policy. "undecided": not over, or its report is not released; look again later. With entries in "untested", checks ' +
    'that apply to the target could not run: do what their cure says, then start the pentest anew. "ended": FAILED or CANCELLED, not ' +
    'judged. "unsupported": a status that this version does not know.',
  annotations: reading(true),
  doing: 'The gate could not decide',
  input: z.strictObject({
    id: id('run'),
    failOn: z.enum(severities).optional().describe('Mildest severity that counts (HIGH unless configured).'),
    minConfidence: z.enum(confidences).optional().describe('Least confidence that counts (FIRM unless configured).'),
    maxFindings: z.int().min(0).max(1_000_000).optional().describe('How many that count are let through (0).'),
    acceptUntested: z
      .array(z.string().regex(/^[a-z0-9-]{1,100}$/))
      .max(50)
      .optional()
      .describe('Groups of checks that may be untested in a run that passes (none unless configured).'),
  }),
  output: z.object({
    summary,
    outcome: z.enum(outcomes),
    policy: policyShape.nullable().describe('Null when nothing was judged.'),
    run: pentestShape,
    untested: z
      .array(untestedShape)
      .describe('Groups of checks that could not run; of a run that passes, those that were accepted.'),
    failingTotal: z.number(),
    failing: z.array(pentestFindingShape).describe(`The worst ${PAGE} of the findings over the policy.`),
  }),
  async run({ id: runId, failOn, minConfidence, maxFindings, acceptUntested }, { shell, client, calls, untrusted }) {
    const { policy } = readPolicyOptions(shell, {
      ...(failOn && { failOn }),
      ...(minConfidence && { minConfidence }),
      ...(maxFindings !== undefined && { maxFindings: String(maxFindings) }),
      ...(acceptUntested && { acceptUntested: acceptUntested.join(',') }),
    });
    const judgement = await client.waitForJudgement(runId, { ...calls, policy, maxWaitMs: 0, maxRetries: 0 });
    const failing = judgement.kind === 'failed' ? judgement.failing : [];
    return {
      summary: `${judgement.kind}: ${reasonOf(judgement)}`,
      outcome: judgement.kind,
      policy: 'policy' in judgement ? judgement.policy : null,
      untested: 'untested' in judgement ? judgement.untested : [],
      run: judgement.pentest,
      failingTotal: failing.length,
      failing: failing.slice(0, PAGE).map((finding) => shortFinding(finding, untrusted)),
    };
  },
});
