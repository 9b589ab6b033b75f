import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { madeUrl } from '../../../oracle/made-url.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import {
  another,
  fieldIn,
  fieldsBeside,
  fieldsOf,
  otherThan,
  type ShownField,
  writing,
  written,
} from '../../shared/privileged-fields.ts';

const isMaking = ({ method, url, effect = effectOf({ method, url }) }: InventoryItem) =>
  method === 'POST' && effect === 'changes';

export default defineRequestCheck({
  id: 'mass-assignment-create',
  flaw: { name: 'mass-assignment', rank: 1 },
  title: 'Mass assignment: privileged fields can be set on creation',
  cwe: 915,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker creates objects with privileges, such as an account with an administrative role or free credit.',
  why: 'When an object is created, the server stores every field of the request, including fields that no form offers. An attacker can give a new account a role, credit or a verified email address. An object created with one extra privileged field kept the value. The test created a few objects; the evidence lists them.',
  fix: 'Bind only an allowlist of fields from the request (a DTO, strong parameters, a schema that rejects unknown keys). Do not pass the request body to the model. Delete the objects that the test created.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/915.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) => isMaking(item) && item.operation === undefined && Object.keys(written(item)).length > 0,
  variants: [] as ShownField[],
  async probe(item, { word }, { ask, willChange }) {
    const change = await willChange([]);
    const answer = await ask(requestOf(another(item, word)));
    const url = madeUrl(answer);
    if ((answer.response?.status ?? 500) >= 400) change.forget();
    return url === undefined ? [] : fieldsBeside(item, textOf(await ask({ method: 'GET', url })));
  },
  maxRequests: 30,
  describe: ({ field }) => ({ fields: [field] }),
  proof: {
    plan: (item, variant, nonce) => ({
      usual: {
        label: 'object created as pages do',
        request: requestOf(another(item, `${nonce.word}a`)),
        isControl: true,
        change: { leavesTraces: true },
      },
      first: { label: 'created object', request: { method: 'GET', url: item.url }, isControl: true, madeBy: 'usual' },
      added: {
        label: 'object created with a privileged field',
        request: writing(another(item, `${nonce.word}b`), { [variant.field]: otherThan(variant, nonce) }),
        change: { leavesTraces: true },
      },
      second: {
        label: 'object created with a privileged field, read back',
        request: { method: 'GET', url: item.url },
        madeBy: 'added',
        answer: { isDecisive: true },
      },
    }),
    judge({ first, second }, variant, nonce) {
      const isUsual = fieldIn(textOf(first), variant.field) === variant.before;
      const isWritten = fieldIn(textOf(second), variant.field) === otherThan(variant, nonce);
      return isUsual && isWritten ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const keep = (allowed: readonly string[]) => {
      const members: Record<string, unknown>[] = [];
      return ({ method, path, body }: { method: string; path: string; body: string }) => {
        if (method !== 'POST') {
          const member = members[Number(path.split('/').at(-1))];
          return member ? { headers, body: JSON.stringify(member) } : { status: 404, headers, body: '{}' };
        }
        const sent = Object.entries(fieldsOf(body)).filter(([field]) => allowed.includes(field));
        const isTaken = members.some(({ email }) => email === fieldsOf(body).email);
        if (isTaken) return { status: 409, headers, body: '{"error":"is taken"}' };
        const number = members.push({ name: '', credit: 0, ...Object.fromEntries(sent) }) - 1;
        return { status: 201, headers, body: JSON.stringify({ status: 'made', data: { id: number } }) };
      };
    };
    return {
      item: {
        method: 'POST',
        url: '/members',
        parameters: [
          { location: 'json', name: '/name', value: 'Alice' },
          { location: 'json', name: '/email', value: 'alice@shop.test' },
        ],
        body: { type: 'application/json', text: '{"name":"Alice","email":"alice@shop.test"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: keep(['name', 'email', 'credit']),
      safe: keep(['name', 'email']),
    };
  },
});
