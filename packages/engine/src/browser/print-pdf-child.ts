/** Prints on behalf of root as an unprivileged user: browser executable as argument, HTML on stdin, PDF on stdout. */
import { text } from 'node:stream/consumers';
import { BrowserError } from '../protocol/browser-problem.ts';
import { loadPlaywright } from './load-playwright.ts';
import type { PrintOutcome } from './print-outcome.ts';
import { printHere } from './print-pdf.ts';

/** A user ID that neither Debian nor systemd assigns. */
const USER = 60_577;

const tell = (outcome: PrintOutcome) => process.stderr.write(`\n${JSON.stringify(outcome)}\n`);

await loadPlaywright();
const html = await text(process.stdin);
process.setgroups?.([]);
process.setgid?.(USER);
process.setuid?.(USER);
try {
  const { pdf, isSandboxed } = await printHere(html, process.argv[2] ?? '');
  process.stdout.write(pdf);
  tell({ isSandboxed, problem: null });
} catch (error) {
  tell({
    problem: error instanceof BrowserError ? error.problem : 'could not start',
    message: (error as Error).message,
  });
}
