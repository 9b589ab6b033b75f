import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, evenUnanswered } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import {
  fieldIn,
  fieldsBeside,
  fieldsOf,
  otherThan,
  type ShownField,
  writing,
  written,
} from '../../shared/privileged-fields.ts';

const reading = ({ url }: InventoryItem): PointRequest => ({ method: 'GET', url });

export default defineRequestCheck({
  id: 'mass-assignment',
  flaw: { name: 'mass-assignment', rank: 0 },
  title: 'Mass assignment: users can set privileged fields',
  cwe: 915,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker with any account grants it privileges, such as an administrative role, credit or a verified address.',
  why: 'The server writes every field of the request to the record, including fields that no form offers. An attacker can give their own account a role, credit or a verified email address. An ordinary update left the field unchanged; the same update with the extra field changed it. The test restored the old value.',
  fix: 'Bind only an allowlist of fields from the request (a DTO, strong parameters, a schema that rejects unknown keys). Do not pass the request body to the model. A blocklist of the field named here leaves the others open.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Mass_Assignment_Cheat_Sheet.html',
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/915.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) =>
    item.seenAs !== null &&
    (item.method === 'PUT' || item.method === 'PATCH') &&
    Object.keys(written(item)).length > 0 &&
    item.operation === undefined,
  variants: [{ field: 'role', before: '' }] as ShownField[],
  probe: async (item, _nonce, { ask }) => fieldsBeside(item, textOf(await ask(reading(item)))),
  maxRequests: 40,
  describe: ({ field }) => ({ fields: [field] }),
  proof: {
    plan: (item, variant, nonce) => ({
      first: { label: 'what is there', request: reading(item), isControl: true },
      usual: evenUnanswered({ label: 'update as pages send it', request: requestOf(item), isControl: true }),
      second: { label: 'object after that', request: reading(item), isControl: true },
      added: {
        label: 'same update with a privileged field',
        request: writing(item, { [variant.field]: otherThan(variant, nonce) }),
      },
      third: { label: 'object after the test', request: reading(item), answer: { isDecisive: true } },
      back: cleanUp({
        label: 'original value restored',
        request: writing(item, { [variant.field]: variant.before }),
      }),
    }),
    judge(answers, variant, nonce) {
      const read = [answers.first, answers.second, answers.third];
      const [first, second, third] = read.map((answer) => fieldIn(textOf(answer), variant.field));
      const sought = otherThan(variant, nonce);
      // A value that every update changes, or that was set before, was not written by the attack.
      return first === variant.before && second === first && third === sought ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const keep = (allowed: readonly string[]) => {
      const profile: Record<string, unknown> = { name: 'Alice', role: 'customer', points: 3 };
      return ({ method, body }: { method: string; body: string }) => {
        const sent = Object.entries(method === 'PATCH' ? fieldsOf(body) : {});
        for (const [field, value] of sent) if (allowed.includes(field)) profile[field] = value;
        // Echoes the submitted values whether or not they are stored.
        return { headers, body: JSON.stringify({ ...profile, ...Object.fromEntries(sent) }) };
      };
    };
    return {
      item: {
        method: 'PATCH',
        url: '/me',
        parameters: [{ location: 'json', name: '/name', value: 'Alice' }],
        body: { type: 'application/json', text: '{"name":"Alice"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: keep(['name', 'role', 'points']),
      safe: keep(['name']),
    };
  },
});
