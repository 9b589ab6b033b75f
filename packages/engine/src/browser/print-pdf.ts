import { spawn } from 'node:child_process';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { BrowserError } from '../protocol/browser-problem.ts';
import { launchBrowser } from './launch-browser.ts';
import { PrintOutcome } from './print-outcome.ts';

/** A long report takes seconds; one that takes minutes is broken. */
const MOST_MS = 60_000;

const ADDRESS = 'http://report.invalid/';

/** Sandboxed, a page does not even refresh itself elsewhere, which would spoil the printing of it. */
const ONLY_INK = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

interface Printed {
  pdf: Buffer;
  /** Whether Chromium ran in its sandbox. */
  isSandboxed: boolean;
}

/**
 * A page of ours as a PDF. It has no scripts and no network: whatever it holds of others stays ink. Chromium never runs
 * as root for it. Throws a BrowserError where there is no browser.
 */
export function printPdf(html: string, program: string): Promise<Printed> {
  return process.getuid?.() === 0 ? printAsOther(html, program) : printHere(html, program);
}

const helper = path.join(import.meta.dirname, `print-pdf-child${path.extname(import.meta.filename)}`);

/** In a process that gives up being root after it has loaded its code. */
async function printAsOther(html: string, program: string): Promise<Printed> {
  const child = spawn(process.execPath, [helper, program], { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(html);
  const [pdf, said] = await Promise.all([buffer(child.stdout), text(child.stderr)]);
  const outcome = PrintOutcome.parse(JSON.parse(said.trim().split('\n').at(-1) || '{}'));
  if (outcome.problem) throw new BrowserError(outcome.problem, outcome.message);
  return { pdf, isSandboxed: outcome.isSandboxed };
}

/** As the user of this process. */
export async function printHere(html: string, program: string): Promise<Printed> {
  const { browser, isSandboxed } = await launchBrowser(program, 'preferred');
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true, serviceWorkers: 'block' });
    await context.route('**', (route) => route.abort());
    await context.route(ADDRESS, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': ONLY_INK },
        body: html,
      }),
    );
    const page = await context.newPage();
    page.setDefaultTimeout(MOST_MS);
    await page.goto(ADDRESS);
    const options = { format: 'A4', printBackground: true, preferCSSPageSize: true, tagged: true, outline: true };
    return { pdf: await page.pdf(options), isSandboxed };
  } finally {
    await browser.close();
  }
}
