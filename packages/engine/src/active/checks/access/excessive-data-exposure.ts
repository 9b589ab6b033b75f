import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { mayHold, readsOnly } from '../../shared/accounts.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';
import { secretsOf } from '../../shared/secret-values.ts';

const MOST_FIELDS = 10;

export default defineRequestCheck({
  id: 'excessive-data-exposure',
  title: 'Excessive data exposure: response contains secrets',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads passwords, password hashes, keys or card numbers straight from the raw response.',
  why: 'The response contains complete records, including passwords, password hashes, keys or card numbers that the page does not display. An attacker reads them from the raw response; password hashes can be cracked offline. An unrelated page of the site returned no such fields.',
  fix: 'Serialize an explicit list of public fields (a DTO or response schema) instead of the whole record. Never return passwords, password hashes or keys. Replace secrets that were exposed.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  risk: 'harmless',
  appliesTo: (item) =>
    readsOnly(item) && mayHold(item, 'private') && (item.contentType === '' || /json/i.test(item.contentType)),
  /** Names of the exposed fields. */
  variants: [[]] as string[][],
  maxRequests: 5,
  async probe(item, _nonce, asking) {
    const { certain, named } = secretsOf(await plainAnswer(item, asking));
    const fields = [...new Set([...certain, ...named])].slice(0, MOST_FIELDS);
    return fields.length > 0 ? [fields] : [];
  },
  describe(fields) {
    return { why: `${this.why}\n\nAffected fields: ${fields.join(', ')}.`, fields };
  },
  proof: {
    plan: (item, _variant, { word }) => ({
      answer: { label: 'original request', request: requestOf(item), answer: { isConfidential: true } },
      elsewhere: {
        label: 'a page that does not exist',
        request: { method: 'GET', url: new URL(`/${word}`, item.url).href },
        isControl: true,
      },
    }),
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const [found, control] = [secretsOf(compared.answer.text), secretsOf(compared.elsewhere.text)];
      if (!isGiven(compared.answer) || control.certain.length + control.named.length > 0) return 'REFUTED';
      if (found.certain.length > 0) return 'PROVED';
      return found.named.length > 0 ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const hash = `$2b$10$${'abcdefghijklmnopqrstu'}${'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'}`;
    const answer = (user: object) => ({ headers, body: JSON.stringify([user]) });
    return {
      item: { method: 'GET', url: '/users', parameters: [], seenAs: null, contentType: 'application/json' },
      vulnerable: ({ path }) => (path === '/users' ? answer({ name: 'alice', password: hash }) : { status: 404 }),
      safe: ({ path }) => (path === '/users' ? answer({ name: 'alice', password: '***' }) : { status: 404 }),
    };
  },
});
