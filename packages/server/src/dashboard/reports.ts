import { dashboardEndpoints, MOST_FINDINGS, type ReportFormat } from '@sortie/contract';
import { printPdf } from '@sortie/engine';
import { formats, type Report, reportOfPentest, reportOfScan } from '@sortie/report';
import { countRequest } from '../db/count-request.ts';
import { AppError } from '../errors/app-error.ts';
import { type DashboardRoute, type PermittedCaller, type RawContent, route } from '../http/route.ts';
import { readWholeReport } from '../pentests/pentests.ts';
import { readVersion } from '../platform/read-version.ts';
import { listScanFindings, readScan } from '../scans/scans.ts';
import type { DashboardContext } from './context.ts';
import { readEngagements } from './read-engagements.ts';

/** Every PDF starts a browser. */
const REPORTS = { requests: 60, seconds: 600 };

const { getRunReport, getScanReport } = dashboardEndpoints;

export function reportRoutes(context: DashboardContext): DashboardRoute[] {
  const { database, config, signing } = context;
  const { queries, pool } = database;
  const facts = { toolVersion: readVersion() };
  let printing: Promise<unknown> = Promise.resolve();

  /** Prints one PDF at a time, because each one starts a browser. */
  function print(html: string): Promise<Buffer> {
    const printed = printing.then(() => printPdf(html, config.worker.chromium));
    printing = printed.catch(() => undefined);
    return printed.then(
      ({ pdf }) => pdf,
      (cause: unknown) => {
        const message = 'This node has no browser to print with. Download the HTML report and print it.';
        throw new AppError('VALIDATION_ERROR', { field: 'format', message, cause });
      },
    );
  }

  async function write(report: Report, format: ReportFormat): Promise<RawContent> {
    const { mediaType, fileName, render } =
      format === 'pdf' ? { ...formats.html, mediaType: 'application/pdf', fileName: 'sortie.pdf' } : formats[format];
    const text = render(report);
    const headers = {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${fileNameOf(report.id, fileName)}"`,
      // Prevents scripts if a browser opens the file instead of saving it.
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    };
    return { body: format === 'pdf' ? await print(text) : text, headers };
  }

  async function limit({ userId }: PermittedCaller): Promise<void> {
    const retryAfterSeconds = await countRequest(pool, `reports:${userId}`, REPORTS);
    if (retryAfterSeconds !== undefined) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
  }

  return [
    route(getRunReport, async ({ caller, params: { runId }, query: { format } }) => {
      await limit(caller);
      const { pentest, findings, summary } = await readWholeReport(database, caller, runId, signing.current());
      const { id: _, reportReleased: __, ...more } = summary;
      const engagements = await readEngagements(queries, caller, pentest.targetUrl);
      return write(reportOfPentest(pentest, findings, { ...facts, ...more, engagements }), format);
    }),
    route(getScanReport, async ({ caller, params: { scanId }, query: { format } }) => {
      await limit(caller);
      const scan = await readScan(queries, caller, scanId);
      if (scan.status !== 'COMPLETED') {
        throw new AppError('NOT_FOUND', { message: 'There is no report yet: the scan is still in progress.' });
      }
      const { findings } = await listScanFindings(queries, caller, scanId, { limit: MOST_FINDINGS, offset: 0 });
      return write(reportOfScan(scan, findings, facts), format);
    }),
  ];
}

/** Returns a name such as `pen_1-gl-dast-report.json`. */
const fileNameOf = (id: string, fileName: string) => `${id}-${fileName}`;
