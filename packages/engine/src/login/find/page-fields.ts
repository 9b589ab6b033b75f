import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Driven } from '../../browser/drive.ts';
import { LOGIN_WORDS } from './login-places.ts';

/** Playwright also matches elements in open shadow roots. */
export const PASSWORD = 'input[type=password]:visible';
/** Browsers treat unknown types, such as `username`, as text. */
const NOT_WRITABLE =
  'password search hidden checkbox radio button submit reset image file range color date datetime-local month week time url';
const WRITABLE = `input${NOT_WRITABLE.split(' ')
  .map((type) => `:not([type=${type} i])`)
  .join('')}:visible`;
const USER_WORDS = /user|e-?mail|login|account|identifier|benutzer|phone/i;
const SEARCH_WORDS = /search|suche|query|^q$|coupon|newsletter/i;
const CODE_WORDS =
  /one-time-code|otp|2fa|mfa|two.?factor|passcode|authenticator|(?:verif\w*|security|auth\w*).?code|digit/i;
const ATTRIBUTES = ['autocomplete', 'name', 'id', 'placeholder', 'aria-label', 'type'];
const SEND_WORDS =
  /log\s?-?in|sign\s?-?in|continue|next|submit|verify|confirm|weiter|anmelden|suivant|siguiente|entrar|ok/i;
const MOST_FIELDS = 15;
const ACTION_MS = 3_000;
const ALIVE_MS = 10_000;
const QUIET_MS = 400;
const MOST_QUIET_MS = 8_000;
const STEP_MS = 50;

/** Resolves to whether the condition became true in time. */
export async function until(isTrue: () => Promise<boolean>, mostMs: number): Promise<boolean> {
  const end = performance.now() + mostMs;
  while (performance.now() < end) {
    if (await isTrue().catch(() => false)) return true;
    await setTimeout(STEP_MS);
  }
  return false;
}

/** Waits until the page has sent no requests for a while: single-page applications render only after the load event. */
export async function untilQuiet({ asked, pending }: Driven): Promise<void> {
  let before = asked();
  let since = performance.now();
  await until(async () => {
    if (pending() > 0 || asked() !== before) {
      before = asked();
      since = performance.now();
    }
    return performance.now() - since >= QUIET_MS;
  }, MOST_QUIET_MS);
}

/** Resolves to false if the page is unresponsive because its scripts never yield. */
export async function isAlive(page: Page): Promise<boolean> {
  const answered = page.evaluate('true').then(
    () => true,
    () => true,
  );
  return Promise.race([answered, setTimeout(ALIVE_MS, false, { ref: false })]);
}

export async function isShown(page: Page, selector: string): Promise<boolean> {
  return (await page.locator(selector).count()) > 0;
}

/** Resolves to the visible fields, each with its descriptive attributes. */
async function fieldsOf(page: Page): Promise<{ field: Locator; said: string }[]> {
  const fields = (await page.locator(WRITABLE).all()).slice(0, MOST_FIELDS);
  return Promise.all(
    fields.map(async (field) => {
      const values = ATTRIBUTES.map((name) => field.getAttribute(name, { timeout: ACTION_MS }).catch(() => null));
      return { field, said: (await Promise.all(values)).filter((value) => value !== null).join(' ') };
    }),
  );
}

/**
 * Resolves to the field whose attributes identify it as the user name; otherwise to the first field, marked as vague.
 */
export async function userInput(page: Page): Promise<{ field: Locator; isVague: boolean } | undefined> {
  const fields = (await fieldsOf(page)).filter(({ said }) => !said.split(' ').some((word) => SEARCH_WORDS.test(word)));
  const named = fields.find(({ said }) => USER_WORDS.test(said));
  const found = named ?? fields[0];
  return found && { field: found.field, isVague: named === undefined };
}

/** Resolves to the field for the one-time code, or to one field per digit; undefined if no code is asked for. */
export async function codeInputs(page: Page): Promise<Locator[] | undefined> {
  const fields = await fieldsOf(page);
  const named = fields.filter(({ said }) => CODE_WORDS.test(said));
  if (named.length > 0) return named.map(({ field }) => field);
  const single = page.locator('input[maxlength="1"]:visible');
  return (await single.count()) >= 6 ? single.all() : undefined;
}

export async function fillCode(driven: Driven, inputs: readonly Locator[], code: string): Promise<void> {
  const [first] = inputs;
  if (!first) return;
  const before = driven.asked();
  if (inputs.length < code.length) await first.fill(code, { timeout: ACTION_MS });
  else for (const [index, digit] of [...code].entries()) await inputs[index]?.fill(digit, { timeout: ACTION_MS });
  // Many pages submit the code by themselves once it is complete.
  const isSent = await until(async () => driven.asked() > before, QUIET_MS);
  if (!isSent) await submit(driven, inputs.length < code.length ? first : (inputs[code.length - 1] ?? first));
}

const BUTTON = 'button:visible, input[type=submit]:visible, [role=button]:visible';
/** The form or dialog of a field. The button that opened a dialog has the same name as the one in it, and is covered. */
const AROUND = 'xpath=ancestor::*[self::form or self::dialog or @role="dialog" or @aria-modal="true"][1]';

/** Submits with the Enter key, or with the button if that has no effect. */
export async function submit(driven: Driven, field: Locator): Promise<void> {
  const { page, asked } = driven;
  const before = asked();
  const hasEffect = async () => asked() > before || !(await field.isVisible());
  await field.press('Enter', { timeout: ACTION_MS }).catch(() => undefined);
  if (await until(hasEffect, 1_000)) return;
  const around = field.locator(AROUND);
  const hasOwn =
    (await around
      .locator(BUTTON)
      .count()
      .catch(() => 0)) > 0;
  const buttons = hasOwn ? around.locator(BUTTON) : page.locator(BUTTON);
  const named = buttons.filter({ hasText: SEND_WORDS });
  const button = (await named.count()) > 0 ? named.first() : buttons.first();
  await button.click({ timeout: ACTION_MS }).catch(() => undefined);
  await until(hasEffect, ACTION_MS);
}

export async function clickToLogin(page: Page): Promise<boolean> {
  for (const role of ['link', 'button'] as const) {
    const places = page.getByRole(role, { name: LOGIN_WORDS });
    if ((await places.count()) === 0) continue;
    const clicked = await places
      .first()
      .click({ timeout: ACTION_MS })
      .then(
        () => true,
        () => false,
      );
    if (clicked) return true;
  }
  return false;
}
