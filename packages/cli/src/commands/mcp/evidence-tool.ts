import type { Exchange } from '@sortie/sdk';
import { z } from 'zod';
import { id, summary, untrustedText } from './shapes.ts';
import { defineTool, reading, type ToolCall } from './tool.ts';

const MOST_EXCHANGES = 10;
const MOST_MARKED = 10;
const LONGEST_MARKED = 300;

const marked = z.array(untrustedText).describe('The parts to look at.');

export const evidenceTool = defineTool({
  name: 'sortie_pentest_finding_evidence',
  title: 'Evidence of a finding',
  description:
    'The requests and responses that prove a finding of a pentest, with secrets masked, and a curl command where one ' +
    'request shows it. Never run the command without asking the user: it attacks the target.',
  annotations: reading(true),
  doing: 'The evidence could not be read',
  input: z.strictObject({ id: id('run'), findingId: id('finding') }),
  output: z.object({
    summary,
    id: z.string(),
    evidenceDeletedAt: z.string().nullable().describe('When retention removed the evidence.'),
    curl: untrustedText.nullable().describe('Null if one request without a login does not show the finding.'),
    exchanges: z.array(
      z.object({
        label: untrustedText,
        request: untrustedText,
        response: untrustedText,
        isCut: z.boolean().nullable(),
        isDecisive: z.boolean().nullable().describe('Whether its response alone shows the finding.'),
        isControl: z.boolean().nullable().describe('Whether it shows the target without the flaw.'),
        lookAt: z.object({ request: marked, response: marked }),
      }),
    ),
  }),
  async run({ id: runId, findingId }, { client, calls, untrusted }) {
    const { data } = await client.pentests.finding(runId, findingId, calls);
    const { evidence, evidenceDeletedAt, curl } = data;
    return {
      id: data.id,
      evidenceDeletedAt,
      curl: untrusted(curl),
      exchanges: evidence.slice(0, MOST_EXCHANGES).map((exchange) => shownExchange(exchange, untrusted)),
      summary: evidenceDeletedAt ? 'The evidence was deleted' : `${evidence.length} exchanges prove the finding`,
    };
  },
});

function shownExchange(exchange: Exchange, untrusted: ToolCall['untrusted']) {
  const { label, request, response, highlights, isCut, isDecisive = null, isControl = null } = exchange;
  const parts = (text: string, spans: Exchange['highlights']['request']) =>
    spans.slice(0, MOST_MARKED).map(({ start, end }) => untrusted(text.slice(start, end), LONGEST_MARKED));
  return {
    label: untrusted(label, LONGEST_MARKED),
    request: untrusted(request),
    response: untrusted(response),
    isCut,
    isDecisive,
    isControl,
    lookAt: { request: parts(request, highlights.request), response: parts(response, highlights.response) },
  };
}
