import { spawn } from 'node:child_process';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { BrowserError } from '../protocol/browser-problem.ts';
import { destinationPages } from './destination-pages.ts';
import { launchBrowser } from './launch-browser.ts';
import { PrintOutcome } from './print-outcome.ts';

/** A long report takes seconds; one that takes minutes is broken. */
const MOST_MS = 60_000;

const ADDRESS = 'http://report.invalid/';

/** The `sandbox` directive keeps a meta refresh from navigating the page away while it is printed. */
const ONLY_INK = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

interface Printed {
  pdf: Buffer;
  /** Whether Chromium ran in its sandbox. */
  isSandboxed: boolean;
}

/**
 * Prints an HTML report as PDF, without scripts and network, so that untrusted content in it stays inert. Chromium
 * never runs as root for this. Throws a `BrowserError` if there is no browser.
 */
export function printPdf(html: string, program: string): Promise<Printed> {
  return process.getuid?.() === 0 ? printAsOther(html, program) : printHere(html, program);
}

const helper = path.join(import.meta.dirname, `print-pdf-child${path.extname(import.meta.filename)}`);

/** Prints in a child process that drops root privileges after loading its code. */
async function printAsOther(html: string, program: string): Promise<Printed> {
  const child = spawn(process.execPath, [helper, program], { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  child.stdin.end(html);
  const [pdf, said] = await Promise.all([buffer(child.stdout), text(child.stderr)]);
  const outcome = PrintOutcome.parse(JSON.parse(said.trim().split('\n').at(-1) || '{}'));
  if (outcome.problem) throw new BrowserError(outcome.problem, outcome.message);
  return { pdf, isSandboxed: outcome.isSandboxed };
}

/** Fills in the numbers of the pages where the elements with these ids are. Text of the report is escaped. */
const withPageNumbers = (html: string, pages: ReadonlyMap<string, number>) =>
  html.replace(
    /(<span class="page" data-page-of="([\w-]+)">)(?=<\/span>)/g,
    (tag, _, id) => `${tag}${pages.get(id) ?? ''}`,
  );

/** Prints as the user of this process. */
export async function printHere(html: string, program: string): Promise<Printed> {
  const { browser, isSandboxed } = await launchBrowser(program, 'preferred');
  let written = html;
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true, serviceWorkers: 'block' });
    await context.route('**', (route) => route.abort());
    await context.route(ADDRESS, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': ONLY_INK },
        body: written,
      }),
    );
    const page = await context.newPage();
    page.setDefaultTimeout(MOST_MS);
    await page.goto(ADDRESS);
    const options = { format: 'A4', printBackground: true, preferCSSPageSize: true, tagged: true, outline: true };
    const pdf = await page.pdf(options);
    written = withPageNumbers(html, destinationPages(pdf));
    if (written === html) return { pdf, isSandboxed };
    // Only the printed document tells the page numbers of its contents. They have room, so that no page changes.
    await page.goto(ADDRESS);
    return { pdf: await page.pdf(options), isSandboxed };
  } finally {
    await browser.close();
  }
}
