import { writeFile } from 'node:fs/promises';
import type { Pentest, PentestFindingsResponse, Scan, ScanFindingsResponse } from '@sortie/contract';
import { type FormatName, formats, isJudged, type Report, reportOfPentest, reportOfScan } from '@sortie/report';
import type { Client } from '@sortie/sdk';
import { usageError } from '../command-error.ts';
import { readVersion } from '../version.ts';
import { isFailure } from './explain-failure.ts';
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
  const report = await readReport(await shell.client(), id);
  if (!isJudged(report)) shell.say('Not judged yet: an empty report of this run does not mean that nothing is wrong.');
  for (const { format, file } of wanted) await write(file, await render(shell, report, format));
  const files = wanted.filter(({ file }) => file !== '-').map(({ file }) => file);
  const document = { schema: 'sortie.report/1', id, isJudged: isJudged(report), files };
  if (shell.isJson) shell.print(document, () => '');
  else for (const file of files) shell.say(`Written: ${file}`);
}

async function write(file: string, content: string | Buffer): Promise<void> {
  if (file === '-') process.stdout.write(content);
  else await writeFile(file, content).catch((error: Error) => Promise.reject(usageError(`${file}: ${error.message}`)));
}

async function render({ config }: Shell, report: Report, format: Wanted['format']): Promise<string | Buffer> {
  if (format !== 'pdf') return formats[format].render(report);
  const { printPdf } = await import('@sortie/engine');
  return printPdf(formats.html.render(report), config.chromium);
}

/** Both kinds have ids that say nothing to a client: what is no pentest may be a scan. */
async function readReport(client: Client, id: string): Promise<Report> {
  const told = { toolVersion: readVersion() };
  try {
    const { data } = await client.pentests.get(id);
    const findings = await all(client.pentests.findingsAll(id));
    return reportOfPentest(data as Pentest, findings as PentestFindingsResponse['findings'], told);
  } catch (error) {
    if (!isFailure(error) || error.code !== 'NOT_FOUND') throw error;
  }
  const { data } = await client.scans.get(id);
  const findings = await all(client.scans.findingsAll(id));
  return reportOfScan(data as Scan, findings as ScanFindingsResponse['findings'], told);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
