import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { compareAll, isGiven, textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { type PointRequest, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { askerOf, choicesOf, SECRET_FIELDS } from '../../shared/chosen-fields.ts';
import { secretsOf } from '../../shared/secret-values.ts';

/** A parameter that selects fields, and a secret field to select. */
interface Variant {
  parameter: Parameter;
  field: string;
}

const choosing = (item: InventoryItem, parameter: Parameter, field: string): PointRequest =>
  requestWith({ item, parameter }, field);

export default defineRequestCheck({
  id: 'field-selection-exposure',
  title: 'Excessive data exposure: clients can select secret fields',
  cwe: 200,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker with any account reads secret fields of records, such as password hashes, and cracks them offline.',
  why: 'The client chooses by a parameter which fields of a record the server returns, and the server also returns secret ones. An attacker reads values that no page shows, such as password hashes, and cracks them offline. Naming a secret field returned its value; naming an unknown field did not.',
  fix: 'Compare the requested names with an allowlist of public fields. Never load password hashes or other secrets into objects that are serialized.',
  references: [
    'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  risk: 'harmless',
  appliesTo: (item) => readsOnly(item) && /json/i.test(item.contentType) && choicesOf(item).length > 0,
  variants: [] as Variant[],
  maxRequests: 24,
  async probe(item, _nonce, { ask, known }) {
    const found: Variant[] = [];
    for (const parameter of choicesOf(item).slice(0, 2)) {
      for (const field of SECRET_FIELDS) {
        const { certain, named } = secretsOf(textOf(await ask(choosing(item, parameter, field), askerOf(item, known))));
        if (certain.length + named.length === 0) continue;
        found.push({ parameter, field });
        break;
      }
    }
    return found;
  },
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(item, { parameter, field }, { word }, facts) {
      const as = askerOf(item, facts);
      const asked = (label: string, value: string) => ({ label, request: choosing(item, parameter, value), as });
      return {
        base: { ...asked('with the fields that pages request', parameter.value), isControl: true },
        secret: { ...asked('with a secret field', field), answer: { isConfidential: true } },
        unknown: { ...asked('with a field that does not exist', word), isControl: true },
        again: { ...asked('with the fields that pages request, repeated', parameter.value), isControl: true },
      };
    },
    judge(answers) {
      const compared = compareAll(answers);
      if (!compared) return 'VOID';
      const { base, secret, unknown, again } = compared;
      if (!isGiven(base) || !isGiven(secret)) return 'REFUTED';
      const others = [base, unknown, again].map(({ text }) => secretsOf(text));
      // Secrets in every response are a different flaw (excessive data exposure).
      if (others.some(({ certain, named }) => certain.length + named.length > 0)) return 'REFUTED';
      const { certain, named } = secretsOf(secret.text);
      if (certain.length > 0) return 'PROVED';
      return named.length > 0 ? 'LIKELY' : 'REFUTED';
    },
  },
  lab() {
    const person = { name: 'alice', email: 'alice@shop.test', password: '5f4dcc3b5aa765d61d8327deb882cf99' };
    const answer =
      (fields: readonly string[]) =>
      ({ account, path }: LabRequest) => {
        const asked = new URLSearchParams(path.replace(/^[^?]*/, '')).get('fields')?.split(',') ?? [];
        const shown = Object.entries(person).filter(([key]) => account && asked.includes(key) && fields.includes(key));
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(shown)) };
      };
    const url = '/me?fields=name,email';
    return {
      item: {
        method: 'GET',
        url,
        parameters: [{ location: 'query', name: 'fields', value: 'name,email' }],
        seenAs: null,
        contentType: 'application/json',
        sightings: [{ as: 'alice', url, status: 200 }],
      },
      vulnerable: answer(['name', 'email', 'password']),
      safe: answer(['name', 'email']),
    };
  },
});
