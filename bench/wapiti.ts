import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { compare, type Placed, readTruthFile } from './pentest-truth.ts';

/** Wapiti names classes in words; other categories are compared with no flaw. */
const CWES: Readonly<Record<string, number>> = {
  'SQL Injection': 89,
  'Blind SQL Injection': 89,
  'LDAP Injection': 90,
  'NoSQL Injection': 943,
  'Path Traversal': 22,
  'Command execution': 78,
  'Reflected Cross Site Scripting': 79,
  'Stored Cross Site Scripting': 79,
  'Stored HTML Injection': 79,
  'HTML Injection': 79,
  'CRLF Injection': 93,
  'Open Redirect': 601,
  'Server Side Request Forgery': 918,
  'XML External Entity': 611,
  'Unrestricted File Upload': 434,
  'Cross Site Request Forgery': 352,
  'Backup file': 530,
  'Potentially dangerous file': 538,
  'Information Disclosure - Full Path': 209,
  'Content Security Policy Configuration': 693,
  'HTTP Strict Transport Security (HSTS)': 319,
  'Clickjacking Protection': 1021,
  'HttpOnly Flag cookie': 1004,
  'Secure Flag cookie': 614,
  'Weak credentials': 1392,
  'Htaccess Bypass': 863,
  'HTTP Secure Headers': 693,
  'MIME Type Confusion': 693,
};

const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.array(z.object({ path: z.string(), parameter: z.string().nullable().default(null) })),
  ),
  infos: z.object({ crawled_pages_nbr: z.number() }).partial().default({}),
});

const options = {
  target: { type: 'string' },
  truth: { type: 'string' },
  program: { type: 'string', default: 'wapiti' },
  minutes: { type: 'string', default: '30' },
} as const;

interface Reported extends Placed {
  category: string;
}

/** `--target URL --truth FILE [--program PATH] [-- flags of wapiti]`: counts its reports by the same list. */
export async function benchWapiti(flags: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: flags, options, allowPositionals: true });
  if (!values.target || !values.truth) return console.log('wapiti: skipped, needs --target URL and --truth FILE.');
  const known = await readTruthFile(values.truth);
  const startedAt = performance.now();
  const reported = await runWapiti(values.program, values.target, Number(values.minutes), positionals);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const { looked, found, missed, wrong } = compare(reported, known, 'MAXIMUM');
  console.log(`wapiti: ${found.length} of ${looked.length} flaws, ${reported.length} reports in ${seconds} s`);
  console.log(`  missed: ${missed.map(({ id }) => id).join(', ')}`);
  for (const { category, affectedUrl, parameter } of wrong)
    console.log(`  not in the list: ${category}, ${affectedUrl} ${parameter ?? ''}`);
}

async function runWapiti(program: string, target: string, minutes: number, more: string[]): Promise<Reported[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-wapiti-'));
  try {
    const file = path.join(folder, 'report.json');
    const limit = ['--max-scan-time', String(minutes * 60), '--store-session', folder];
    const flags = ['-u', target, '--flush-session', '-f', 'json', '-o', file, ...limit, ...more];
    await promisify(execFile)(program, flags, { maxBuffer: 1_000_000_000 });
    const { vulnerabilities } = Report.parse(JSON.parse(await readFile(file, 'utf8')));
    return Object.entries(vulnerabilities).flatMap(([category, reports]) =>
      reports.map((report) => ({
        category,
        affectedUrl: new URL(report.path, target).href,
        parameter: report.parameter || null,
        cwe: CWES[category] ?? null,
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
