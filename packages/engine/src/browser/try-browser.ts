import { BrowserError, type BrowserOrder, type BrowserOutcome } from '../protocol/browser-problem.ts';
import { launchBrowser } from './launch-browser.ts';

/** Starts and closes the browser, to determine how it can be used on this machine. */
export async function tryBrowser({ chromium }: Pick<BrowserOrder, 'chromium'>): Promise<BrowserOutcome> {
  try {
    const { browser, isSandboxed, isOffNetwork } = await launchBrowser(chromium, 'preferred');
    await browser.close();
    return { state: isSandboxed ? 'sandboxed' : 'no sandbox', isOffNetwork, detail: '' };
  } catch (error) {
    if (!(error instanceof BrowserError)) throw error;
    return { state: error.problem, isOffNetwork: null, detail: error.message.slice(0, 1_000) };
  }
}
