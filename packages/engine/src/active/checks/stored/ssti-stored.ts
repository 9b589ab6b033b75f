import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { readJson } from '../../../oracle/private-content.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, type Nonce } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { mayRestore, reading, shownValues, withValues } from '../../shared/own-form.ts';
import { freeTexts } from '../../shared/stored-marks.ts';
import { computed, marksOf, TEMPLATES, type Template, written } from '../../shared/templates.ts';

interface Variant {
  parameter: Parameter;
  template: Template;
  /** The request with the values that its page showed before the test. */
  before?: InventoryItem;
}

/** Templates that need no surrounding context, because the stored value is a whole template. */
const WHOLE = TEMPLATES.filter(({ before }) => before === undefined);
const MOST_TEXTS = 2;

/** Tests a form for editing. A value that is not shown again stays in the journal, to be restored when the run ends. */
async function probeForm(item: InventoryItem, nonce: Nonce, asking: Asking): Promise<Variant[]> {
  const shown = await shownValues(item, asking);
  const before = withValues(item, shown);
  const parameters = freeTexts(before).filter(({ name }) => (shown.get(name) ?? '') !== '');
  const found = await probeAll(before, parameters, nonce, asking);
  const after = parameters.length > 0 ? await shownValues(item, asking) : shown;
  const isRestored = parameters.every(({ name }) => after.get(name) === shown.get(name));
  if (!isRestored) await asking.willChange([requestOf(before)]);
  return found.map((each) => ({ ...each, before }));
}

async function probeAll(item: InventoryItem, parameters: readonly Parameter[], nonce: Nonce, asking: Asking) {
  if (parameters.length === 0) return [];
  const change = await asking.willChange([requestOf(item)]);
  const found: Variant[] = [];
  for (const parameter of parameters.slice(0, MOST_TEXTS)) {
    found.push(...(await firstToCompute(item, parameter, nonce, asking)));
  }
  await change.takeBack();
  return found;
}

/** Resolves to the template that is evaluated when the value is read back. Writes all of them at once first. */
async function firstToCompute(item: InventoryItem, parameter: Parameter, nonce: Nonce, { ask }: Asking) {
  const [a, b] = nonce.numbers;
  const write = (template: Template) => written(template, nonce, `${a}*${b}`);
  const readAfter = async (value: string) => {
    await ask(requestWith({ item, parameter }, value));
    return ask(reading(item));
  };
  const all = await readAfter(WHOLE.map(write).join(' '));
  const isBroken = (all.response?.status ?? 0) >= 500;
  if (!isBroken && !shows(all, computed(nonce, a * b))) return [];
  for (const template of WHOLE) {
    if (shows(await readAfter(write(template)), computed(nonce, a * b))) return [{ parameter, template }];
  }
  return [];
}

export default defineRequestCheck({
  id: 'ssti-stored',
  title: 'Stored server-side template injection (SSTI)',
  cwe: 1336,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact:
    'An attacker with an account evaluates template expressions on the server, which with most engines leads to arbitrary code.',
  why: 'The application stores the value and later inserts it into the source of a template before it renders the page. An attacker runs template expressions, and with most engines arbitrary code on the server. A stored multiplication in template syntax was shown as its product; the same text without the delimiters was not.',
  fix: 'Keep templates constant and pass values as data. Where users write templates, use a logic-less or sandboxed engine.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    'https://portswigger.net/web-security/server-side-template-injection',
    'https://cwe.mitre.org/data/definitions/1336.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) => mayRestore(item) && item.operation === undefined && freeTexts(item).length > 0,
  variants: [] as Variant[],
  probe: (item, nonce, asking) =>
    item.method === 'POST' ? probeForm(item, nonce, asking) : probeAll(item, freeTexts(item), nonce, asking),
  maxRequests: 64,
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(item, { parameter, template, before = item }, nonce) {
      const [a, b] = nonce.numbers;
      const writing = (value: string) => requestWith({ item: before, parameter }, value);
      return {
        attack: {
          label: 'template with a product, stored',
          request: writing(written(template, nonce, `${a}*${b}`)),
        },
        shown: { label: 'object after the test', request: reading(item) },
        control: {
          label: 'same expression without template delimiters, stored',
          request: writing(marksOf(nonce).join(`${a}*${b}`)),
          isControl: true,
        },
        plain: { label: 'page after the expression without delimiters', request: reading(item), isControl: true },
        back: cleanUp({
          label: 'original value restored',
          request: requestOf(before),
        }),
      };
    },
    judge({ shown, plain }, _variant, nonce) {
      const [a, b] = nonce.numbers;
      return judgeComputed([[shown, computed(nonce, a * b)]], [plain]);
    },
  },
  lab() {
    const headers = { 'content-type': 'application/json' };
    const product = (text: string) =>
      text.replace(/<%= (\d+)\*(\d+) %>/g, (_, one, other) => String(Number(one) * Number(other)));
    const keep = (show: (text: string) => string) => {
      let signature = '';
      return ({ method, body }: LabRequest) => {
        const sent = method === 'PUT' ? readJson(body) : undefined;
        if (typeof sent === 'object' && sent !== null && 'text' in sent) signature = String(sent.text);
        return { headers, body: JSON.stringify(method === 'PUT' ? { state: 'kept' } : { signature: show(signature) }) };
      };
    };
    return {
      item: {
        method: 'PUT',
        url: '/signature',
        parameters: [{ location: 'json', name: '/text', value: 'Yours, Alice' }],
        body: { type: 'application/json', text: '{"text":"Yours, Alice"}' },
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: keep(product),
      safe: keep(String),
    };
  },
});
