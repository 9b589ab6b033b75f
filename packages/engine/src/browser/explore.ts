import type { Locator, Page } from 'playwright-core';
import type { PageStorage } from './page-storage.ts';
import type { Traffic } from './traffic.ts';

export interface Exploring {
  mostClicks: number;
  mostMs: number;
  /** What the site has stored in the visitor's browser. */
  storage?: PageStorage | undefined;
  /** Whether a control may be clicked, by its text and attributes. */
  isSafe(words: string): boolean;
  /** Whether a control inside a form may be clicked as well, by the same words and the form as HTML. */
  isSafeIn?(form: string, words: string): boolean;
  /** Whether a control is worth a click: controls that every page has need not be clicked on each of them. */
  isNew?(words: string): boolean;
  /** Returns a value for a field, by its type and names, and by its present value and its placeholder. */
  fillerFor?(type: string, name: string, shown: readonly string[]): string;
  /** Called before each submission with whether the page has a password field; if so, the request must not be sent. */
  hold?(isHeld: boolean): void;
}

export interface Explored {
  /** The page after its scripts have run, and after each click; the URL may have changed without a request. */
  views: { url: string; html: string }[];
  /** URLs of WebSockets that pages tried to open. */
  sockets: string[];
  clicks: number;
  /** Controls that were not clicked because of their possible effect. */
  avoided: number;
}

/** Clickable elements other than links and submit buttons, whose requests are known without a click. */
const CONTROLS = [
  'button:not(form button):not([form]:not([type=button]))',
  'button[type=button]',
  'input[type=button]',
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

/**
 * Adds what it sees to `explored` at once, because the time for a page may end at any moment. Never calls the page's own
 * functions: the inspecting code runs isolated from its scripts.
 */
export async function explorePage(
  page: Page,
  traffic: Pick<Traffic, 'settle' | 'isBusy'>,
  exploring: Exploring,
  explored: Explored,
): Promise<void> {
  const { mostClicks, mostMs, isSafe } = exploring;
  const endsAt = performance.now() + mostMs * 0.8;
  const start = page.url();
  await addView(page, explored);
  // A modal dialog over the page would block all clicks.
  await page.keyboard.press('Escape').catch(() => undefined);
  if (await fillAndSend(page, exploring, explored)) {
    await settle(page, traffic);
    await addView(page, explored);
    await goBack(page, start, mostMs);
  }
  const count = Math.min(await page.locator(CONTROLS).count(), MOST_CONTROLS);
  const tried = new Set<string>();
  for (let index = 0; index < count && explored.clicks < mostClicks && performance.now() < endsAt; index++) {
    const control = page.locator(CONTROLS).nth(index);
    const own = await wordsOf(control);
    const form = own === undefined ? undefined : await formAround(control);
    const words = own && [own, ...(form?.words ?? [])].join('\n');
    if (words === undefined || tried.has(words)) continue;
    tried.add(words);
    if (!isSafe(words) || (form && exploring.isSafeIn?.(form.html, words) === false)) {
      explored.avoided++;
      continue;
    }
    if (exploring.isNew?.(words) === false) continue;
    await holdPasswords(page, exploring);
    if (await click(control)) {
      explored.clicks++;
      await settle(page, traffic);
      await addView(page, explored);
      await goBack(page, start, mostMs);
    }
  }
}

/** On a busy machine, the requests that an action causes arrive late, but hardly after answers to later questions. */
async function settle(page: Page, traffic: Pick<Traffic, 'settle' | 'isBusy'>): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: ACTION_MS }).catch(() => undefined);
  await page.content().catch(() => undefined);
  await traffic.settle(QUIET_MS);
  await page.content().catch(() => undefined);
  if (traffic.isBusy()) await traffic.settle(QUIET_MS);
}

async function goBack(page: Page, start: string, mostMs: number): Promise<void> {
  if (page.url() !== start) await page.goto(start, { timeout: mostMs / 4, waitUntil: 'load' }).catch(() => undefined);
}

/** Fields that only scripts submit: a form with an action or method is known without a browser. */
const FIELDS = ['input:not([type])', 'textarea']
  .concat(['text', 'email', 'tel', 'url', 'number', 'search', 'password'].map((type) => `input[type=${type}]`))
  .map((field) => `${field}:visible:not(form[action] *):not(form[method] *)`)
  .join(', ');
const SENDERS = ['button[type=submit]', 'input[type=submit]', 'button:not([type])', 'button']
  .map((button) => `${button}:visible:enabled:not(form[action] *):not(form[method] *)`)
  .join(', ');
const SENDING = /submit|save|add|create|register|sign|log|search|find|track|apply|update|post|review|send|continue|ok/i;
const MOST_FIELDS = 15;
const MOST_SENT = 2;

/**
 * Fills in every field and presses the submit buttons of forms that only read: a script may write by GET, which the
 * request does not tell. Returns false if there is no field.
 */
async function fillAndSend(page: Page, exploring: Exploring, explored: Explored): Promise<boolean> {
  const { fillerFor } = exploring;
  const fields = fillerFor ? (await page.locator(FIELDS).all()).slice(0, MOST_FIELDS) : [];
  if (fields.length === 0) return false;
  for (const field of fields) {
    const told = ['type', 'name', 'id', 'placeholder', 'aria-label'].map((name) =>
      field.getAttribute(name, { timeout: ACTION_MS }).catch(() => null),
    );
    const [type, ...names] = await Promise.all(told);
    const shown = [await field.inputValue({ timeout: ACTION_MS }).catch(() => ''), names[2] ?? ''];
    const text = fillerFor?.(type ?? 'text', names.filter((each) => each !== null).join(' '), shown) ?? '';
    await field.fill(text, { timeout: ACTION_MS }).catch(() => undefined);
  }
  await holdPasswords(page, exploring);
  const isSent = await press(page, exploring, explored);
  const last = fields.at(-1);
  // In most applications, Enter in the last field submits as well, even without a button.
  if (!isSent && last && (await maySendBy(last, await submittersBeside(last), exploring)))
    await last.press('Enter', { timeout: ACTION_MS }).catch(() => undefined);
  return true;
}

async function holdPasswords(page: Page, { hold }: Exploring): Promise<void> {
  hold?.((await page.locator('input[type=password]').count()) > 0);
}

async function press(page: Page, exploring: Exploring, explored: Explored): Promise<boolean> {
  let sent = 0;
  for (const button of (await page.locator(SENDERS).all()).slice(0, MOST_CONTROLS)) {
    const words = await wordsOf(button);
    if (words === undefined || !SENDING.test(words) || !exploring.isSafe(words)) continue;
    if (!(await maySendBy(button, words, exploring))) explored.avoided++;
    else if (await click(button)) sent++;
    if (sent >= MOST_SENT) break;
  }
  return sent > 0;
}

/** Returns whether a control may send the form around it, by these words and the form's own; true outside forms. */
async function maySendBy(control: Locator, words: string, { isSafeIn }: Exploring): Promise<boolean> {
  const form = await formAround(control);
  return !form || isSafeIn?.(form.html, [words, ...form.words].join('\n')) !== false;
}

const SUBMITTERS = 'button:not([type=button]):not([type=reset]), input[type=submit], input[type=image]';

/** Resolves to the words of the buttons that Enter in this field would press. */
async function submittersBeside(field: Locator): Promise<string> {
  const buttons = await field.locator('xpath=ancestor::form[1]').locator(SUBMITTERS).all();
  const words = await Promise.all(buttons.map((button) => wordsOf(button)));
  return words.filter((each) => each !== undefined).join('\n');
}

async function addView(page: Page, explored: Explored): Promise<void> {
  const html = await page.content().catch(() => '');
  explored.views.push({ url: page.url(), html: html.slice(0, MOST_CHARACTERS) });
}

/** Returns undefined if the control is not visible. */
async function wordsOf(control: Locator): Promise<string | undefined> {
  if (!(await control.isVisible().catch(() => false))) return undefined;
  const text = await control.innerText({ timeout: ACTION_MS }).catch(() => '');
  const told = await Promise.all(
    TOLD_BY.map((name) => control.getAttribute(name, { timeout: ACTION_MS }).catch(() => null)),
  );
  return [text, ...told.filter((each) => each !== null)].join('\n').slice(0, 1_000);
}

const OF_FORMS = ['action', 'id', 'name', 'aria-label', 'method', 'class'];
const SAID_OF_FORMS = 4;
const MOST_OF_FORM = 200_000;

/** A button in a form is told by its form as well: each form sends its own request, whatever its buttons are called. */
async function formAround(control: Locator): Promise<{ words: string[]; html: string } | undefined> {
  const form = await formOf(control);
  if ((await form.count().catch(() => 0)) === 0) return undefined;
  const headings = form.locator('legend, h1, h2, h3, h4, h5, h6');
  const [texts, inside, ...values] = await Promise.all([
    headings.allInnerTexts().catch(() => []),
    form.innerHTML({ timeout: ACTION_MS }).catch(() => ''),
    ...OF_FORMS.map((name) => form.getAttribute(name, { timeout: ACTION_MS }).catch(() => null)),
  ]);
  const told = values.slice(0, SAID_OF_FORMS).filter((each) => each !== null);
  const attributes = OF_FORMS.flatMap((name, index) => {
    const value = values[index] ?? null;
    return value === null ? [] : ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
  return { words: [...texts, ...told], html: `<form${attributes.join('')}>${inside.slice(0, MOST_OF_FORM)}</form>` };
}

/** A control names the form that it sends, or sends the one around it. */
async function formOf(control: Locator): Promise<Locator> {
  const id = await control.getAttribute('form', { timeout: ACTION_MS }).catch(() => null);
  if (!id) return control.locator('xpath=ancestor::form[1]');
  const quote = id.includes('"') ? "'" : '"';
  return control.locator(`xpath=ancestor::html//form[@id=${quote}${id}${quote}]`).first();
}

async function click(control: Locator): Promise<boolean> {
  return control.click({ timeout: ACTION_MS, noWaitAfter: true }).then(
    () => true,
    () => false,
  );
}
