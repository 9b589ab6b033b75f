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
  newOnly: z.boolean().optional().describe('True if known findings do not count.'),
  acceptUntested: z.array(z.string()).optional(),
});
const untestedShape = z.object({ group: z.string(), reason: z.string(), cure: z.string() });

export const gateTool = defineTool({
  name: 'sortie_pentest_gate_check',
  title: 'Judge a pentest',
  description:
    'Judges a pentest by a policy, without waiting. Only "passed" is a pass. "failed": findings violate the policy. ' +
    '"undecided": still in progress, or its report is not released; check again later. If "untested" has entries, ' +
    'applicable checks could not run: follow their cure, then start a new pentest. "ended": FAILED or CANCELLED, no ' +
    'verdict. "unsupported": the status is unknown to this version.',
  annotations: reading(true),
  doing: 'The gate could not decide',
  input: z.strictObject({
    id: id('run'),
    failOn: z.enum(severities).optional().describe('Lowest severity that fails (default: as configured, else HIGH).'),
    minConfidence: z
      .enum(confidences)
      .optional()
      .describe('Lowest confidence that fails (default: as configured, else FIRM).'),
    maxFindings: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('Number of such findings to tolerate (default: as configured, else 0).'),
    acceptUntested: z
      .array(z.string().regex(/^[a-z0-9-]{1,100}$/))
      .max(50)
      .optional()
      .describe('Check groups that may be untested in a passing run (default: as configured, else none).'),
    newOnly: z
      .boolean()
      .optional()
      .describe('True: only new findings and regressions fail, compared with earlier runs on the target.'),
    baselineRun: id('completed run whose findings do not fail').optional(),
  }),
  output: z.object({
    summary,
    outcome: z.enum(outcomes),
    policy: policyShape.nullable().describe('Null without a verdict.'),
    run: pentestShape,
    untested: z.array(untestedShape).describe('Check groups that could not run; for a passing run, the accepted ones.'),
    comparedWith: z.string().nullable().describe('The baseline run or "earlier runs"; null if all findings count.'),
    takenOut: z
      .array(z.object({ id: z.string(), fingerprint: z.string(), by: z.string() }))
      .describe('Known findings that would otherwise fail: "by" says whether history or a baseline run has them.'),
    failingTotal: z.number(),
    failing: z.array(pentestFindingShape).describe(`The worst ${PAGE} findings that violate the policy.`),
  }),
  async run({ id: runId, ...asked }, { shell, client, calls, untrusted }) {
    const { failOn, minConfidence, maxFindings, acceptUntested, newOnly, baselineRun } = asked;
    const options = {
      ...(failOn && { failOn }),
      ...(minConfidence && { minConfidence }),
      ...(maxFindings !== undefined && { maxFindings: String(maxFindings) }),
      ...(acceptUntested && { acceptUntested: acceptUntested.join(',') }),
      ...(newOnly && { newOnly }),
      ...(baselineRun && { baselineRun }),
    };
    const { policy, takenOutOf, comparedWith } = await readPolicyOptions(shell, options, { id: runId });
    const judgement = await client.waitForJudgement(runId, { ...calls, policy, maxWaitMs: 0, maxRetries: 0 });
    const failing = judgement.kind === 'failed' ? judgement.failing : [];
    return {
      summary: `${judgement.kind}: ${reasonOf(judgement)}`,
      outcome: judgement.kind,
      policy: 'policy' in judgement ? judgement.policy : null,
      untested: 'untested' in judgement ? judgement.untested : [],
      run: judgement.pentest,
      comparedWith,
      takenOut: 'policy' in judgement ? takenOutOf(judgement.findings).slice(0, PAGE) : [],
      failingTotal: failing.length,
      failing: failing.slice(0, PAGE).map((finding) => shortFinding(finding, untrusted)),
    };
  },
});
