import type { Coverage } from '@sortie/sdk';
import { z } from 'zod';
import { id, nextOffset, PAGE, pageInput, summary, untrustedText } from './shapes.ts';
import { defineTool, reading, type ToolCall } from './tool.ts';

const withReason = z.array(z.object({ groups: z.array(z.string()), reason: untrustedText }));

const requestShape = z.object({
  place: untrustedText.describe('Method, URL template and operation, between ⟦untrusted …⟧ marks.'),
  account: z.string().nullable().describe('Null: without an account.'),
  tested: z.array(z.string()),
  partlyTested: withReason,
  notTested: withReason,
});

/** A complete coverage can be long, so the tool returns only requests that were not fully tested. */
export const coverageTool = defineTool({
  name: 'sortie_pentest_coverage',
  title: 'Coverage of a pentest',
  description:
    'What a pentest tested, per group of checks, and the requests that were not fully tested, with reasons, ' +
    `${PAGE} at a time. Null until the run is over and its report is released.`,
  annotations: reading(true),
  doing: 'The coverage could not be read',
  input: z.strictObject({ id: id('run'), ...pageInput }),
  output: z.object({
    summary,
    id: z.string(),
    groups: z
      .array(
        z.object({
          group: z.string(),
          status: z.string().describe('TESTED, PARTLY_TESTED, NOT_TESTED or NOT_APPLICABLE.'),
          tested: z.number().describe('Number of requests.'),
          partlyTested: z.number(),
          notTested: z.number(),
          reasons: z.array(z.object({ reason: untrustedText, cure: z.string() })),
        }),
      )
      .nullable()
      .describe('Null if there is no coverage (yet).'),
    requests: z.array(requestShape).describe('Requests that were not fully tested.'),
    nextOffset,
  }),
  async run({ id: runId, offset }, { client, calls, untrusted }) {
    const { coverage } = (await client.pentests.summary(runId, calls)).data;
    if (!coverage) {
      const told = 'There is no coverage: the run is not over, not released, or ended before its tests';
      return { summary: told, id: runId, groups: null, requests: [], nextOffset: null };
    }
    const lacking = coverage.requests.filter(
      ({ partlyTested, notTested }) => partlyTested.length + notTested.length > 0,
    );
    const groups = coverage.groups.map((group) => ({
      ...group,
      reasons: group.reasons.map((each) => ({ ...each, reason: untrusted(each.reason, 600) })),
    }));
    return {
      summary: summaryOf(coverage, lacking.length),
      id: runId,
      groups,
      requests: lacking.slice(offset, offset + PAGE).map((request) => toRequest(request, untrusted)),
      nextOffset: offset + PAGE < lacking.length ? offset + PAGE : null,
    };
  },
});

function summaryOf({ groups, requests, omittedRequests }: Coverage, lacking: number): string {
  const tested = groups.filter(({ status }) => status === 'TESTED').length;
  const applicable = groups.filter(({ status }) => status !== 'NOT_APPLICABLE').length;
  const listed = requests.length + omittedRequests;
  return `${tested} of ${applicable} applicable groups of checks were tested everywhere; ${lacking} of ${listed} requests were not fully tested`;
}

function toRequest(request: Coverage['requests'][number], untrusted: ToolCall['untrusted']) {
  const { method, url, operation, account, tested, partlyTested, notTested } = request;
  const marked = (all: Coverage['requests'][number]['notTested']) =>
    all.map(({ groups, reason }) => ({ groups, reason: untrusted(reason, 600) }));
  return {
    place: untrusted([method, url, ...(operation === null ? [] : [operation])].join(' '), 600),
    account,
    tested,
    partlyTested: marked(partlyTested),
    notTested: marked(notTested),
  };
}
