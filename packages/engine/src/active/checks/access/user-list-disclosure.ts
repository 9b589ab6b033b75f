import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { compareAll, isGiven, isPrivateMark, readJson } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { LabRequest } from '../../lab.ts';
import { freshly, isMetBy, marksOf, mayHold, readsOnly, type WithAccounts } from '../../shared/accounts.ts';

/** Fields that only administrators of accounts need. */
const OF_ADMINISTRATION = /^(?:roles?|is_?admin|is_?active|last_?log_?in\w*|totp\w*|permissions|deleted_?at)$/i;
const ADDRESS = /^[^@\s]{1,64}@[^@\s]{1,200}$/;
/** Fewer people can be a team whose members may see each other. */
const FEWEST_PEOPLE = 5;
const MOST_VALUES = 20_000;

/** Returns the e-mail addresses in records with administrative fields. */
function peopleIn(text: string): Set<string> {
  const people = new Set<string>();
  const waiting: unknown[] = [readJson(text)];
  for (let count = 0; waiting.length > 0 && count < MOST_VALUES; count++) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const fields = Object.entries(value);
    const isAdministered = fields.some(([key, each]) => OF_ADMINISTRATION.test(key) && each !== undefined);
    const addresses = fields.flatMap(([, each]) => (typeof each === 'string' && ADDRESS.test(each) ? [each] : []));
    if (isAdministered) for (const address of addresses) people.add(address.toLowerCase());
    waiting.push(...fields.map(([, each]) => each));
  }
  return people;
}

const addressesOf = (known: WithAccounts, name: string | null) =>
  marksOf(known, name)
    .filter(isPrivateMark)
    .map((mark) => mark.toLowerCase());

const otherThan = ({ seenAs }: InventoryItem, known: WithAccounts) =>
  known.accounts.find(({ name }) => name !== seenAs && addressesOf(known, name).length > 0)?.name;

/** Returns whether the list shown to one account has the other account's record and those of many others. */
function listsOthers(text: string, known: WithAccounts, as: string | null, other: string | null): boolean {
  const people = peopleIn(text);
  const own = addressesOf(known, as);
  const strangers = [...people].filter((address) => !own.includes(address));
  return strangers.length >= FEWEST_PEOPLE && addressesOf(known, other).some((address) => people.has(address));
}

export default defineRequestCheck({
  id: 'user-list-disclosure',
  title: 'User data exposure: any account can list all users',
  cwe: 285,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who registers harvests the email addresses and roles of all users for phishing and password guessing.',
  why: "An ordinary account receives the full user list, with email addresses and administrative fields such as roles or last logins. Anyone who registers can harvest every user's data and pick administrators as targets. Two test accounts each received the other's record; a request without a login did not return any.",
  fix: 'Restrict the endpoint to administrators by a server-side role check. Return only the own record to other users, without administrative fields.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa5-broken-function-level-authorization/',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/285.html',
  ],
  risk: 'harmless',
  appliesTo: (item, known) =>
    item.method === 'GET' &&
    item.seenAs !== null &&
    readsOnly(item) &&
    !isMetBy(item, null) &&
    /json/i.test(item.contentType) &&
    mayHold(item, 'private') &&
    addressesOf(known, item.seenAs).length > 0 &&
    otherThan(item, known) !== undefined,
  variants: ['list'],
  async probe(item, _nonce, { ask, known }) {
    const { response } = await ask(freshly(requestOf(item)));
    const text = response?.body.toString() ?? '';
    return listsOthers(text, known, item.seenAs, otherThan(item, known) ?? null) ? ['list'] : [];
  },
  maxRequests: 8,
  proof: {
    plan(item, _variant, _nonce, facts) {
      const request = freshly(requestOf(item));
      const other = otherThan(item, facts);
      if (other === undefined) return undefined;
      return {
        nobody: { label: 'without a login', request, as: null, isControl: true },
        one: { label: 'as the account that the crawler used', request },
        other: { label: 'as another account', request, as: other },
      };
    },
    judge(answers, _variant, _nonce, item, facts) {
      const compared = compareAll(answers);
      const other = otherThan(item, facts);
      if (!compared || other === undefined) return 'VOID';
      const isOpen = isGiven(compared.nobody) && peopleIn(compared.nobody.text).size > 0;
      const isShownToBoth =
        listsOthers(compared.one.text, facts, item.seenAs, other) &&
        listsOthers(compared.other.text, facts, other, item.seenAs);
      // Both accounts may be administrators.
      return isShownToBoth && !isOpen ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const names = ['alice', 'bob', 'carol', 'dan', 'erin', 'frank', 'grace'];
    const people = names.map((name, index) => ({ id: index, email: `${name}@shop.test`, role: 'customer' }));
    const answer =
      (isOwnOnly: boolean) =>
      ({ account }: LabRequest) => {
        if (account === null) return { status: 401 };
        const shown = people.filter(({ email }) => !isOwnOnly || email === `${account}@shop.test`);
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data: shown }) };
      };
    return {
      item: {
        method: 'GET',
        url: '/api/users',
        parameters: [],
        seenAs: 'alice',
        contentType: 'application/json',
      },
      confidence: 'FIRM',
      vulnerable: answer(false),
      safe: answer(true),
    };
  },
});
