import { launchBrowser } from './launch-browser.ts';

/** A long report takes seconds; one that takes minutes is broken. */
const MOST_MS = 60_000;

const ADDRESS = 'http://report.invalid/';

/** Sandboxed, a page does not even refresh itself elsewhere, which would spoil the printing of it. */
const ONLY_INK = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** A page of ours as a PDF. It has no scripts and no network: whatever it holds of others stays ink. */
export async function printPdf(html: string, program: string): Promise<Buffer> {
  const { browser } = await launchBrowser(program, 'preferred');
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
    return await page.pdf({
      format: 'A4',
      printBackground: true,
      preferCSSPageSize: true,
      tagged: true,
      outline: true,
    });
  } finally {
    await browser.close();
  }
}
