import { launchBrowser } from './launch-browser.ts';

/** A long report takes seconds; one that takes minutes is broken. */
const MOST_MS = 60_000;

/** A page of ours as a PDF. It has no scripts and no network: whatever it holds of others stays ink. */
export async function printPdf(html: string, program: string): Promise<Buffer> {
  const browser = await launchBrowser(program);
  try {
    const context = await browser.newContext({ javaScriptEnabled: false, offline: true, serviceWorkers: 'block' });
    await context.route('**', (route) => route.abort());
    const page = await context.newPage();
    page.setDefaultTimeout(MOST_MS);
    await page.setContent(html, { timeout: MOST_MS });
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
