import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven, leavesOf, textOf } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck, type Known } from '../../define-active-check.ts';
import type { PasswordDigest } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { mayHold, readsOnly } from '../../shared/accounts.ts';
import { askerOf, choicesOf, SECRET_FIELDS } from '../../shared/chosen-fields.ts';
import { digestsOf } from '../../shared/password-digests.ts';
import { plainAnswer } from '../../shared/plain-answer.ts';

interface Shown {
  field: string;
  algorithm: string;
}

interface Variant extends Shown {
  /** The secret field to select, where clients select fields. */
  chosen?: { parameter: Parameter; name: string };
}

/** Digests of names and addresses are public, as in URLs of avatars: a password that equals one proves nothing. */
const digestsIn = ({ accounts }: Pick<Known, 'accounts'>): PasswordDigest[] =>
  accounts.flatMap(({ passwordDigests = [], name, user = '', marks }) => {
    const ofNames = new Set([name, user, ...marks].flatMap((each) => digestsOf(each).map(({ hex }) => hex)));
    return passwordDigests.filter(({ hex }) => !ofNames.has(hex));
  });

/** Returns the field that contains the digest of a test account's password. */
function digestShownIn(text: string, known: Pick<Known, 'accounts'>): Shown | undefined {
  const leaves = leavesOf(text);
  for (const { algorithm, hex } of digestsIn(known)) {
    const leaf = leaves.find(({ value }) => typeof value === 'string' && value.toLowerCase() === hex);
    if (leaf) return { field: leaf.key, algorithm };
  }
  return undefined;
}

const requestFor = (item: InventoryItem, { chosen }: Pick<Variant, 'chosen'>) =>
  chosen ? requestWith({ item, parameter: chosen.parameter }, chosen.name) : requestOf(item);

async function firstToShow(item: InventoryItem, asking: Asking): Promise<Variant | undefined> {
  const { ask, known } = asking;
  const shown = digestShownIn(await plainAnswer(item, asking), known);
  if (shown) return shown;
  for (const parameter of choicesOf(item).slice(0, 1)) {
    for (const name of SECRET_FIELDS) {
      const chosen = { parameter, name };
      const found = digestShownIn(textOf(await ask(requestFor(item, { chosen }), askerOf(item, known))), known);
      if (found) return { ...found, chosen };
    }
  }
  return undefined;
}

/** How an application stores passwords is one flaw, reported for the first response that shows it. */
const FOUND = 'weak-password-hash';

export default defineRequestCheck({
  id: 'weak-password-hash',
  title: 'Weak password hash: unsalted fast digest',
  cwe: 916,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who obtains the digests recovers most passwords within hours and logs in as their users, also on other sites.',
  why: 'The application stores passwords as a fast digest without a salt. An attacker who reads the digests looks them up in tables of known passwords or tries billions of guesses per second, and equal passwords are visible as equal digests. The response contained exactly the digest of the password of a test account; a page that does not exist did not.',
  fix: 'Store passwords with Argon2id, scrypt or bcrypt and a random salt for each password. Rehash existing passwords at the next login, and never return hashes in responses.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/916.html',
  ],
  risk: 'harmless',
  appliesTo: (item, known) =>
    digestsIn(known).length > 0 &&
    readsOnly(item) &&
    (mayHold(item, 'private') || choicesOf(item).length > 0) &&
    (item.contentType === '' || /json/i.test(item.contentType)),
  variants: [{ field: '', algorithm: '' }] as Variant[],
  maxRequests: 10,
  async probe(item, _nonce, asking) {
    const { memory } = asking;
    // The first place may be tried again: its proof may have been interrupted.
    if (memory.countOf(FOUND) > 0 && memory.countOf(FOUND, item.url) === 0) return [];
    const shown = await firstToShow(item, asking);
    if (!shown) return [];
    memory.count(FOUND);
    memory.count(FOUND, item.url);
    return [shown];
  },
  describe({ field, algorithm }) {
    return field === '' ? {} : { why: `${this.why}\n\nDigest: ${algorithm}.`, fields: [field] };
  },
  proof: {
    plan: (item, variant, { word }, facts) => ({
      answer: {
        label: 'original request',
        request: requestFor(item, variant),
        ...(variant.chosen && { as: askerOf(item, facts) }),
        answer: { isConfidential: true },
      },
      elsewhere: {
        label: 'a page that does not exist',
        request: { method: 'GET', url: new URL(`/${word}`, item.url).href },
        isControl: true,
      },
    }),
    judge(answers, _variant, _nonce, _item, facts) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      if (!isGiven(compared.answer) || digestShownIn(compared.elsewhere.text, facts)) return 'REFUTED';
      return digestShownIn(compared.answer.text, facts) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const [md5] = digestsOf('alice-of-the-lab');
    const answer = (password: string) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'alice@shop.test', password }),
    });
    return {
      item: { method: 'GET', url: '/me', parameters: [], seenAs: 'alice', contentType: 'application/json' },
      vulnerable: ({ path }) => (path === '/me' ? answer(md5?.hex ?? '') : { status: 404 }),
      // A salted digest looks alike.
      safe: ({ path }) => (path === '/me' ? answer(digestsOf('salt-alice-of-the-lab')[0]?.hex ?? '') : { status: 404 }),
    };
  },
});
