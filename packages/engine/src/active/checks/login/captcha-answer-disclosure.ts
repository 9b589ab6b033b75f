import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven, leavesOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';

const ANSWER = /^(?:(?:captcha|correct|expected)_?)?(?:answer|solution|solved|expected)(?:_?text)?$/i;
/** A hash of the solution, as stateless CAPTCHAs send it, is long. */
const MOST_CHARACTERS = 16;

const isOfCaptchas = ({ url }: Pick<InventoryItem, 'url'>) => /captcha/i.test(new URL(url).pathname);

/** Returns the names of fields that contain the solution, with their values. */
function answersIn(text: string): { key: string; value: string }[] {
  return leavesOf(text)
    .map(({ key, value }) => ({ key, value: String(value ?? '') }))
    .filter(({ key, value }) => ANSWER.test(key) && value.length > 0 && value.length <= MOST_CHARACTERS);
}

export default defineRequestCheck({
  id: 'captcha-answer-disclosure',
  title: 'CAPTCHA bypass: response contains the answer',
  cwe: 804,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker automates the protected form, such as registrations or password guesses, without a human.',
  why: 'The response that delivers a CAPTCHA contains its answer as well. A program reads the answer and submits as many protected forms as it likes. Two CAPTCHAs were requested and each response named an answer; a page that does not exist named none.',
  fix: 'Store the answer in the session on the server, send only the question or the image, and accept each CAPTCHA once. Limit the rate of the protected request as well.',
  references: [
    'https://owasp.org/www-project-automated-threats-to-web-applications/assets/oats/EN/OAT-009_CAPTCHA_Defeat',
    'https://cwe.mitre.org/data/definitions/804.html',
  ],
  risk: 'harmless',
  needsNoAccount: true,
  appliesTo: (item) =>
    isOfCaptchas(item) && readsOnly(item) && (item.contentType === '' || /json/i.test(item.contentType)),
  /** The name of the field. */
  variants: [''],
  maxRequests: 7,
  async probe(item, _nonce, asking) {
    const [first] = answersIn(await plainAnswer(item, asking));
    return first ? [first.key] : [];
  },
  describe: (field) => ({ fields: [field] }),
  proof: {
    plan: (item, _field, { word }) => ({
      first: { label: 'a CAPTCHA', request: requestOf(item) },
      second: { label: 'another CAPTCHA', request: requestOf(item) },
      elsewhere: {
        label: 'a page that does not exist',
        request: { method: 'GET', url: new URL(`/${word}`, item.url).href },
        isControl: true,
      },
    }),
    // Never more than LIKELY: no request shows that the server accepts the answer.
    judge(answers, field) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { first, second, elsewhere } = compared;
      const valueIn = ({ text }: { text: string }) => answersIn(text).find(({ key }) => key === field)?.value;
      const [one, other] = [valueIn(first), valueIn(second)];
      if (!isGiven(first) || !isGiven(second) || valueIn(elsewhere) !== undefined) return 'REFUTED';
      // A value that stays the same is a setting or a label.
      return one !== undefined && other !== undefined && one !== other ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    let asked = 0;
    const headers = { 'content-type': 'application/json' };
    const captcha = (more: object) => ({
      headers,
      body: JSON.stringify({ captchaId: ++asked, captcha: `${asked}+4`, ...more }),
    });
    return {
      item: { method: 'GET', url: '/api/captcha', parameters: [], seenAs: null, contentType: 'application/json' },
      confidence: 'FIRM',
      vulnerable: ({ path }) => (path === '/api/captcha' ? captcha({ answer: `${asked + 5}` }) : { status: 404 }),
      safe: ({ path }) =>
        path === '/api/captcha' ? captcha({ answer: '', answerHash: 'c1dfd96eea8cc2b6' }) : { status: 404 },
    };
  },
});
