import type { PentestFinding } from '@sortie/sdk';
import { z } from 'zod';
import { refuse } from './explain-tool-failure.ts';
import { placeText, shortFinding } from './pentest-tools.ts';
import { id, pentestFindingShape, summary, untrustedText } from './shapes.ts';
import { defineTool, reading, type ToolCall } from './tool.ts';

/** An assistant needs the number of places and a few examples only. */
const MOST_PLACES = 20;

const doing = 'The finding could not be explained';

const sureness: Record<string, string> = {
  CONFIRMED: 'proven twice, the second time with new random values',
  FIRM: 'proven once',
  TENTATIVE: 'indications without proof: verify it before acting on it',
};

export const explainFindingTool = defineTool({
  name: 'sortie_pentest_explain_finding',
  title: 'Explain a finding',
  description:
    'One finding of a pentest in full: description, impact, location, confidence, steps to reproduce and remediation.',
  annotations: reading(true),
  doing,
  input: z.strictObject({ id: id('run'), findingId: id('finding') }),
  output: z.object({
    summary,
    ...pentestFindingShape.shape,
    sureness: z.string().describe('What the confidence means.'),
    description: untrustedText.nullable(),
    remediation: untrustedText.nullable(),
    impact: untrustedText.nullable().describe('What an attacker gains.'),
    stepsToReproduce: z.array(untrustedText).describe('How to repeat the proof by hand.'),
    cvssVector: z.string().nullish(),
    cvss4Vector: z.string().nullish(),
    location: z.string().nullish().describe('Location of the parameter in the request.'),
    morePlaces: z.array(untrustedText).describe(`Further places with the same cause, at most ${MOST_PLACES}.`),
    references: z.array(z.string()).describe('References on testing and prevention.'),
    reference: z.string().nullable().describe('CWE definition of the weakness.'),
  }),
  async run({ id: runId, findingId }, call) {
    const finding = await find(runId, findingId, call);
    const { severity, confidence, title, cweId } = finding;
    const [, number] = /^CWE-(\d+)$/.exec(cweId ?? '') ?? [];
    return {
      ...shortFinding(finding, call.untrusted),
      summary: `${severity}, ${confidence}: ${title}`,
      sureness: sureness[confidence] ?? 'confidence unknown to this version: treat it as proven',
      description: call.untrusted(finding.description),
      remediation: call.untrusted(finding.remediation),
      // Services of earlier releases return none of these fields.
      impact: call.untrusted(finding.impact ?? null),
      stepsToReproduce: (finding.stepsToReproduce ?? []).map((step) => call.untrusted(step)),
      morePlaces: (finding.places ?? []).slice(1, MOST_PLACES + 1).map((place) => placeText(place, call.untrusted)),
      references: finding.references ?? [],
      reference: number === undefined ? null : `https://cwe.mitre.org/data/definitions/${number}.html`,
    };
  },
});

async function find(runId: string, findingId: string, { client, calls }: ToolCall): Promise<PentestFinding> {
  for await (const finding of client.pentests.findingsAll(runId, {}, calls)) {
    if (finding.id === findingId) return finding;
  }
  throw refuse(doing, {
    code: 'NOT_FOUND',
    why: 'this run has no released finding with this id',
    hint: 'sortie_pentest_findings lists the findings; it is empty until the report is released.',
  });
}
