import type { Scan } from '@sortie/sdk';
import { z } from 'zod';
import {
  findingsInput,
  id,
  nextOffset,
  PAGE,
  pageInput,
  scanFindingShape,
  scanShape,
  summary,
  untrustedText,
} from './shapes.ts';
import { defineTool, reading } from './tool.ts';

/** Maximum length of each text in a list. */
const SHORT = 600;

const notRunReasons = z
  .array(z.object({ checkId: z.string(), reason: untrustedText }))
  .describe('Why checks were not run.');

const get = defineTool({
  name: 'sortie_scan_get',
  title: 'One scan',
  description: 'Status, score and finding counts of a passive scan. A score of null is never a pass.',
  annotations: reading(true),
  doing: 'The scan could not be read',
  input: z.strictObject({ id: id('scan') }),
  output: z.object({ summary, ...scanShape, notRunReasons }),
  async run(input, { client, calls, untrusted }) {
    const { data } = await client.scans.get(input.id, calls);
    const failure = data.failure && { ...data.failure, message: untrusted(data.failure.message) };
    const reasons = (data.notRunReasons ?? []).map(({ checkId, reason }) => ({ checkId, reason: untrusted(reason) }));
    return { ...data, failure, notRunReasons: reasons, summary: summaryOf(data) };
  },
});

const list = defineTool({
  name: 'sortie_scan_list',
  title: 'Scans',
  description: `The passive scans of the account, newest first, ${PAGE} at a time.`,
  annotations: reading(true),
  doing: 'The scans could not be read',
  input: z.strictObject(pageInput),
  output: z.object({ summary, nextOffset, scans: z.array(z.object(scanShape)) }),
  async run({ offset }, { client, calls, untrusted }) {
    const { data } = await client.scans.list({ offset, limit: PAGE }, calls);
    const scans = data.scans.map(({ notRunReasons: _, ...scan }) => ({
      ...scan,
      failure: scan.failure && { ...scan.failure, message: untrusted(scan.failure.message) },
    }));
    return {
      ...data,
      scans,
      summary: `${scans.length} scans${data.nextOffset === null ? '' : ', and there are more'}`,
    };
  },
});

function summaryOf({ status, score, grade, findingCounts, failure }: Scan): string {
  if (status !== 'COMPLETED') return `The scan is ${status}; it takes a few minutes`;
  if (score === null) return `The scan has no result${failure ? ` (${failure.code})` : ''}: this is not a pass`;
  return `Score ${score} of 100, grade ${grade}, ${findingCounts?.total ?? 'unknown'} findings`;
}

const findings = defineTool({
  name: 'sortie_scan_findings',
  title: 'Findings of a scan',
  description: `The failing checks of a scan, worst first, ${PAGE} at a time.`,
  annotations: reading(true),
  doing: 'The findings could not be read',
  input: z.strictObject({ id: id('scan'), ...findingsInput }),
  output: z.object({
    summary,
    id: z.string(),
    status: z.string(),
    total: z.number().nullable().describe('Null until the scan is completed, and if it has no result.'),
    nextOffset,
    findings: z.array(scanFindingShape),
  }),
  async run({ id: scanId, severity, offset }, { client, calls, untrusted }) {
    const { data } = await client.scans.findings(scanId, { severity, offset, limit: PAGE }, calls);
    const marked = data.findings.map((finding) => ({
      ...finding,
      affectedUrl: untrusted(finding.affectedUrl, SHORT),
      description: untrusted(finding.description, SHORT),
      evidence: untrusted(finding.evidence, SHORT),
      remediation: untrusted(finding.remediation, SHORT),
    }));
    const found = data.total === null ? 'No findings are available yet' : `${marked.length} of ${data.total} findings`;
    return { ...data, findings: marked, summary: found };
  },
});

export const scanTools = [list, get, findings];
