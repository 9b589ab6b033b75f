import { defineRequestCheck } from '../../active-check.ts';
import { requestOf } from '../../crawl/write-request.ts';
import { compareAll, isGiven, leavesOf } from '../../oracle/private-content.ts';
import { mayHold, readsOnly } from '../accounts.ts';
import { plainAnswer } from '../plain-answer.ts';

const LABELS = { answer: 'as it was met', elsewhere: 'a page that does not exist' } as const;

/** Whatever it is called: nothing else looks so. */
const CERTAIN =
  /^\$(?:2[abxy]\$\d\d\$[./A-Za-z0-9]{53}|argon2(?:id|i|d)\$[^\s]{20,300}|[156]\$[^\s$]{1,30}\$[./A-Za-z0-9]{20,90})$|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
const PASSWORD = /^(?:user_?|hashed_?)?pass(?:word|wd|phrase)?(?:_?hash|_?digest|_?salt)?$/i;
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i;
const CARD = /^(?:\d[ -]?){13,19}$/;
const CARD_NAME = /card|\bpan\b/i;
const MOST_FIELDS = 10;
/** What is shown in place of a value. */
const MASKED = /^[*•x.#]+$|redacted|hidden/i;

/** The sum over the digits that every card number satisfies. */
function isCardNumber(text: string): boolean {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number);
  const sum = digits.reduce(
    (all, digit, index) => all + (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)),
    0,
  );
  return CARD.test(text) && sum % 10 === 0;
}

/** Of the values of an answer: those that are certainly secret, and those that are only called so. */
function secretsOf(text: string): { certain: string[]; named: string[] } {
  const texts = leavesOf(text).filter((leaf): leaf is { key: string; value: string } => typeof leaf.value === 'string');
  const isCertain = ({ key, value }: { key: string; value: string }) =>
    CERTAIN.test(value) || (PASSWORD.test(key) && DIGEST.test(value)) || (CARD_NAME.test(key) && isCardNumber(value));
  const isNamed = ({ key, value }: { key: string; value: string }) =>
    PASSWORD.test(key) && value.length > 0 && !MASKED.test(value);
  const keys = (leaves: readonly { key: string }[]) => [...new Set(leaves.map(({ key }) => key))];
  return { certain: keys(texts.filter(isCertain)), named: keys(texts.filter(isNamed)) };
}

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
