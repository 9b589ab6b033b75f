import { defineRequestCheck } from '../../active-check.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { compareAll, isGiven } from '../../oracle/private-content.ts';
import { mayHold, readsOnly } from '../accounts.ts';
import { plainAnswer } from '../plain-answer.ts';
import { secretsOf } from '../secret-values.ts';

const LABELS = { answer: 'as it was met', elsewhere: 'a page that does not exist' } as const;

const MOST_FIELDS = 10;

export default defineRequestCheck<readonly string[]>({
  id: 'excessive-data',
  title: 'An answer holds passwords, keys or card numbers that nobody asked for',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'The answer is made of whole records, and pages show only a part of it. Everybody who looks at the answer itself reads the rest: hashes of passwords are guessed offline.',
  fix: 'Answer only the fields that are needed, from a list of them, and never passwords or their hashes.',
  risk: 'harmless',
  appliesTo: (item) =>
    readsOnly(item) && mayHold(item, 'private') && (item.contentType === '' || /json/i.test(item.contentType)),
  /** The names of the fields. */
  variants: [[]],
  maxRequests: 5,
  async probe(item, _nonce, asking) {
    const { certain, named } = secretsOf(await plainAnswer(item, asking));
    const fields = [...new Set([...certain, ...named])].slice(0, MOST_FIELDS);
    return fields.length > 0 ? [fields] : [];
  },
  describe(fields) {
    return { why: `${this.why}\n\nIt is in these fields: ${fields.join(', ')}.` };
  },
  proof: {
    plan: (item, _variant, { word }) => [
      { label: LABELS.answer, request: requestOf(item), isConfidential: true },
      { label: LABELS.elsewhere, request: { method: 'GET', url: new URL(`/${word}`, item.url).href } },
    ],
    judge(answers) {
      const compared = compareAll(answers, LABELS);
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
