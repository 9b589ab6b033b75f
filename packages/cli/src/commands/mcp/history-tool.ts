import type { PentestSummary } from '@sortie/sdk';
import { z } from 'zod';
import { placeText } from './pentest-tools.ts';
import { id, PAGE, summary, untrustedText } from './shapes.ts';
import { defineTool, reading, type ToolCall } from './tool.ts';

const earlierShape = z.object({
  title: z.string(),
  severity: z.string(),
  checkId: z.string().nullable(),
  fingerprint: z.string(),
  pentestId: z.string().describe('The last run that has it.'),
  findingId: z.string().describe('Its id in that run.'),
  place: untrustedText.nullable().describe('Method, URL and parameter, between ⟦untrusted …⟧ marks.'),
});

export const historyTool = defineTool({
  name: 'sortie_pentest_history',
  title: 'Changes since earlier pentests',
  description:
    'Findings of earlier pentests of the target that this one does not have: fixed ones, and those that it did not test ' +
    'again, which may still exist. Empty until the run is over and its report is released. sortie_pentest_findings tells ' +
    'which findings are NEW, OPEN or a REGRESSION.',
  annotations: reading(true),
  doing: 'The history could not be read',
  input: z.strictObject({ id: id('run') }),
  output: z.object({
    summary,
    id: z.string(),
    fixedTotal: z.number(),
    fixed: z.array(earlierShape).describe(`The worst ${PAGE}.`),
    notTestedTotal: z.number(),
    notTested: z
      .array(earlierShape.extend({ reason: untrustedText.nullable() }))
      .describe(`The worst ${PAGE}, with the reason. Never call them fixed.`),
  }),
  async run({ id: runId }, { client, calls, untrusted }) {
    // Services of earlier releases return neither list.
    const { fixed = [], notTested = [] } = (await client.pentests.summary(runId, calls)).data;
    return {
      summary: `Findings of earlier runs: ${fixed.length} fixed, ${notTested.length} not tested again`,
      id: runId,
      fixedTotal: fixed.length,
      fixed: fixed.slice(0, PAGE).map((finding) => toEarlier(finding, untrusted)),
      notTestedTotal: notTested.length,
      notTested: notTested
        .slice(0, PAGE)
        .map((finding) => ({ ...toEarlier(finding, untrusted), reason: untrusted(finding.reason, 600) })),
    };
  },
});

function toEarlier(finding: PentestSummary['fixed'][number], untrusted: ToolCall['untrusted']) {
  const { title, severity, checkId, fingerprint, pentestId, findingId, method, affectedUrl: url, parameter } = finding;
  const place = url === null ? null : placeText({ method, url, parameter }, untrusted);
  return { title, severity, checkId, fingerprint, pentestId, findingId, place };
}
