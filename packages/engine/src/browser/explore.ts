import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

export interface Exploring {
  mostClicks: number;
  mostMs: number;
  /** Whether something may be clicked, by all that is said of it. */
  isSafe(words: string): boolean;
}

export interface Explored {
  /** As scripts have left it, and as each click did; the address may have changed without a request. */
  views: { url: string; html: string }[];
  /** Addresses that pages wanted to speak to without HTTP. */
  sockets: string[];
  clicks: number;
  /** Controls that were left alone because of what they would do. */
  avoided: number;
}

/** What acts when it is clicked, but leads to no address and sends no form: those are known without a click. */
const CONTROLS = [
  'button:not(form button)',
  '[role=button]:not(form *)',
  '[role=tab]',
  '[role=menuitem]',
  '[role=link]:not([href])',
  'a[href^="#"]',
  'a:not([href])',
  '[onclick]:not(form *):not(a)',
  'summary',
].join(', ');
const TOLD_BY = [
  'aria-label',
  'title',
  'id',
  'class',
  'name',
  'value',
  'onclick',
  'href',
  'data-action',
  'data-testid',
];
const ACTION_MS = 1_000;
const QUIET_MS = 300;
const MOST_CHARACTERS = 2_000_000;
const MOST_CONTROLS = 200;

/** The page's own functions are never called: what looks at it runs where its scripts cannot reach. */
export async function explorePage(page: Page, { mostClicks, mostMs, isSafe }: Exploring): Promise<Explored> {
  const endsAt = performance.now() + mostMs * 0.8;
  const start = page.url();
  const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
  await addView(page, explored);
  const count = Math.min(await page.locator(CONTROLS).count(), MOST_CONTROLS);
  const tried = new Set<string>();
  for (let index = 0; index < count && explored.clicks < mostClicks && performance.now() < endsAt; index++) {
    const control = page.locator(CONTROLS).nth(index);
    const words = await wordsOf(control);
    if (words === undefined || tried.has(words)) continue;
    tried.add(words);
    if (!isSafe(words)) explored.avoided++;
    else if (await click(control)) {
      explored.clicks++;
      await page.waitForLoadState('networkidle', { timeout: ACTION_MS }).catch(() => undefined);
      await setTimeout(QUIET_MS);
      await addView(page, explored);
      if (page.url() !== start)
        await page.goto(start, { timeout: mostMs / 4, waitUntil: 'load' }).catch(() => undefined);
    }
  }
  return explored;
}

async function addView(page: Page, explored: Explored): Promise<void> {
  const html = await page.content().catch(() => '');
  explored.views.push({ url: page.url(), html: html.slice(0, MOST_CHARACTERS) });
}

/** Undefined for what nobody sees. */
async function wordsOf(control: Locator): Promise<string | undefined> {
  if (!(await control.isVisible().catch(() => false))) return undefined;
  const text = await control.innerText({ timeout: ACTION_MS }).catch(() => '');
  const told = await Promise.all(
    TOLD_BY.map((name) => control.getAttribute(name, { timeout: ACTION_MS }).catch(() => null)),
  );
  return [text, ...told.filter((each) => each !== null)].join(' ').slice(0, 1_000);
}

async function click(control: Locator): Promise<boolean> {
  return control.click({ timeout: ACTION_MS, noWaitAfter: true }).then(
    () => true,
    () => false,
  );
}
