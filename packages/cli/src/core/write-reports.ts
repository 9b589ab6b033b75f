import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Pentest, PentestFindingsResponse, Scan, ScanFindingsResponse } from '@sortie/contract';
import { type FormatName, formats, isJudged, type Report, reportOfPentest, reportOfScan } from '@sortie/report';
import type { Client } from '@sortie/sdk';
import { CommandEnd, type CommandError, usageError } from '../command-error.ts';
import { readVersion } from '../version.ts';
import { exitCodes, isFailure } from './explain-failure.ts';
import { readSummary } from './read-summary.ts';
import type { ApiOptions, Shell } from './shell.ts';

export interface ReportOptions extends ApiOptions {
  format?: string[];
  output?: string[];
}

interface Wanted {
  format: FormatName | 'pdf';
  /** `-` is stdout. */
  file: string;
}

const names = [...Object.keys(formats), 'pdf'];
const isFormat = (name: string): name is Wanted['format'] => names.includes(name);

/** For one format stdout, for several the names that their readers look for. */
function readWanted({ format = ['markdown'], output = [] }: ReportOptions): Wanted[] {
  if (output.length > 0 && output.length !== format.length)
    throw usageError('Each --format needs an --output of its own');
  const wanted = format.map((name, index) => {
    if (!isFormat(name)) throw usageError(`--format must be one of: ${names.join(', ')}`);
    const usual = name === 'pdf' ? 'sortie.pdf' : formats[name].fileName;
    return { format: name, file: output[index] ?? (format.length === 1 && name !== 'pdf' ? '-' : usual) };
  });
  if (wanted.filter(({ file }) => file === '-').length > 1) throw usageError('Only one report can go to stdout');
  return wanted;
}

export async function writeReports(shell: Shell, id: string, options: ReportOptions): Promise<void> {
  const wanted = readWanted(options);
  if (shell.isJson && wanted.some(({ file }) => file === '-'))
    throw usageError('With --json each format needs an --output');
  const report = await loadReport(await shell.client(), id);
  if (!isJudged(report)) shell.say('Not judged yet: an empty report of this run does not mean that nothing is wrong.');
  // Whoever reads SARIF takes what is not in it for mended.
  const written = wanted.filter(({ format }) => format !== 'sarif' || isJudged(report));
  for (const { format, file } of written) await write(file, await render(shell, report, format));
  const files = written.filter(({ file }) => file !== '-').map(({ file }) => file);
  const document = { schema: 'sortie.report/1', id, isJudged: isJudged(report), files };
  if (shell.isJson) shell.print(document, () => '');
  else for (const file of files) shell.say(`Written: ${file}`);
  if (written.length === wanted.length) return;
  shell.say('No SARIF is written of what is not judged.');
  throw new CommandEnd(exitCodes.undecided);
}

async function write(file: string, content: string | Buffer): Promise<void> {
  if (file === '-') process.stdout.write(content);
  else await writeFile(file, content).catch((error: NodeJS.ErrnoException) => Promise.reject(notWritten(file, error)));
}

function notWritten(file: string, { code, message }: NodeJS.ErrnoException): CommandError {
  if (code !== 'ENOENT') return usageError(`${file}: ${message}`);
  const folder = path.dirname(file);
  return usageError(
    `${file} cannot be written: the folder ${folder} does not exist. Create it with: mkdir -p ${folder}`,
  );
}

async function render({ config, say }: Shell, report: Report, format: Wanted['format']): Promise<string | Buffer> {
  if (format !== 'pdf') return formats[format].render(report);
  const { printPdf } = await import('@sortie/engine');
  const { pdf, isSandboxed } = await printPdf(formats.html.render(report), config.chromium);
  if (!isSandboxed) say("Printed without Chromium's sandbox: install chromium-sandbox, or allow user namespaces.");
  return pdf;
}

/** Both kinds have ids that say nothing to a client: what is no pentest may be a scan. */
async function loadReport(client: Client, id: string): Promise<Report> {
  const { readReport } = await import('@sortie/sdk');
  const told = { toolVersion: readVersion() };
  try {
    const { data } = await client.pentests.get(id);
    const { findings, isWhole } = await readReport(client.pentests.findingsAll(id));
    const pentest = { ...(data as Pentest), reportReleased: data.reportReleased && isWhole };
    const summary = await readSummary(client, id);
    return reportOfPentest(pentest, findings as PentestFindingsResponse['findings'], { ...told, summary });
  } catch (error) {
    if (!isFailure(error) || error.code !== 'NOT_FOUND') throw error;
  }
  const { data } = await client.scans.get(id);
  const { findings, isWhole } = await readReport(client.scans.findingsAll(id));
  // What is not whole yet is not over, as for whoever waits for it.
  const scan = isWhole ? (data as Scan) : { ...(data as Scan), ...(data.failure ? {} : NOT_OVER) };
  return reportOfScan(scan, findings as ScanFindingsResponse['findings'], told);
}

const NOT_OVER = { status: 'STARTED', score: null, grade: null };
