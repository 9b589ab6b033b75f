import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildDashboard } from '@sortie/web';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from '../engine/chromium.ts';
import { findOverflow, PHONE } from './find-overflow.ts';

const PASSWORD = 'a password of the tests';

/** How long a page waits for anything: on a busy machine, a screen can take a minute. */
const PATIENCE_MS = 180_000;

const DESKTOP = { width: 1280, height: 800 };

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** A person at a browser. Collects what a page of ours must never do. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** Opens a path of the dashboard. */
  open(path: string): Promise<void>;
  signUp(email: string): Promise<void>;
  /**
   * Asserts that the present screen has no serious accessibility violation and does not scroll sideways: in light and in
   * dark, on a desktop and on a phone.
   */
  assertAccessible(): Promise<void>;
  /** Violations of the policy, errors in the console, uncaught errors and requests to other sites. */
  faults: string[];
  end(): Promise<void>;
}

let browser: Promise<Browser> | undefined;

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** Opens a browser window of its own, without any cookie, on a dashboard of the present sources. */
export async function visitDashboard(baseUrl: string): Promise<Person> {
  const build = await buildDashboard();
  assert.notEqual(build.state, 'failed', JSON.stringify(build));
  browser ??= chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'], timeout: PATIENCE_MS });
  const context = await (await browser).newContext({ viewport: DESKTOP, reducedMotion: 'reduce' });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  // Refused requests are in the console, too; the service decides about them, and the tests look at what is shown.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(?:blob|data):/.test(request.url()) && !request.url().startsWith(`${baseUrl}/`)) faults.push(request.url());
  });
  const person: Person = {
    page,
    context,
    faults,
    open: async (path) => void (await page.goto(baseUrl + path)),
    async signUp(email) {
      await person.open('/sign-up');
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign up' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
    },
    async assertAccessible() {
      const size = page.viewportSize() ?? DESKTOP;
      for (const { width, height } of [DESKTOP, PHONE]) {
        await page.setViewportSize({ width, height });
        assert.deepEqual(await findOverflow(page), [], `${page.url()} at ${width} px`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
          assert.deepEqual(await findViolations(page), [], `${page.url()} in ${colorScheme} at ${width} px`);
        }
      }
      await page.setViewportSize(size);
    },
    end: () => context.close(),
  };
  return person;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

async function findViolations(page: Page): Promise<string[]> {
  // By the debugger's protocol, which the policy of the page does not restrict.
  await page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`);
  const violations = (await page.evaluate('axe.run(document).then(({ violations }) => violations)')) as Violation[];
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
}
