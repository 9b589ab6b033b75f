import { judgeComputed, shows } from '../../../oracle/computed.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import {
  computed,
  hasNoBlank,
  isRefused,
  marksOf,
  showsAll,
  TEMPLATES,
  type Template,
  written,
} from '../../shared/templates.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';

export default definePointCheck({
  id: 'ssti',
  // Comes first, because a single request tries most templates.
  flaw: { name: 'code-injection', rank: -1 },
  isInPage: true,
  provesInterpreter: true,
  title: 'Server-side template injection (SSTI)',
  cwe: 1336,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker evaluates template expressions on the server, which with most engines leads to arbitrary code.',
  why: 'The value is inserted into the source of a template before the server renders it. An attacker runs template expressions, and with most engines arbitrary code on the server. A multiplication in template syntax was replaced by its product; the same text without the delimiters was not.',
  fix: 'Keep templates constant and pass values as data. Removing characters from the value leaves other expressions. Where users write templates, use a logic-less or sandboxed engine.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
    'https://portswigger.net/web-security/server-side-template-injection',
    'https://cwe.mitre.org/data/definitions/1336.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isReflected || mayMean(triage, 'expression'),
  variants: TEMPLATES,
  maxRequests: 24,
  async probe(point, nonce, { ask, look }) {
    const [a, b] = nonce.numbers;
    const write = (variant: Template) => written(variant, nonce, `${a}*${b}`);
    const within = TEMPLATES.filter(({ before }) => before !== undefined);
    if (look?.isReflected === false) return firstToShow(within, computed(nonce, a * b), write, { point, ask });
    let left = TEMPLATES;
    // Some targets refuse blanks, which few templates need.
    for (const [some, joint] of [[TEMPLATES, ' '] as const, [TEMPLATES.filter(hasNoBlank), ''] as const]) {
      const all = some.map(write).join(joint);
      const answer = await ask(requestWith(point, all));
      if (shows(answer, computed(nonce, a * b))) break;
      // An error message may quote all of them, because one engine rejects the syntax of another.
      const isQuoted = look?.isReactive === true && textOf(answer).includes(all);
      const isEcho = showsAll(answer, nonce, some.length, look?.isReactive === false) && !isQuoted;
      if (isEcho) left = left.filter((each) => !some.includes(each));
      if (isEcho || !isRefused(answer, nonce)) break;
    }
    return firstToShow(left, computed(nonce, a * b), write, { point, ask });
  },
  proof: {
    plan(point, variant, nonce) {
      const [a, b, c] = nonce.numbers;
      const plain = marksOf(nonce).join(`${a}*${b}`);
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: at(point, 'template with a product', written(variant, nonce, `${a}*${b}`)),
        control: at(point, 'same expression without template delimiters', plain, { isControl: true }),
        other: at(point, 'template with another product', written(variant, nonce, `${b}*${c}`)),
      };
    },
    judge({ base, attack, control, other }, _variant, nonce) {
      const [a, b, c] = nonce.numbers;
      const products = [
        [attack, computed(nonce, a * b)],
        [other, computed(nonce, b * c)],
      ] as const;
      return judgeComputed(products, [base, control]);
    },
  },
  lab() {
    const { runInNewContext } = process.getBuiltinModule('node:vm');
    const render = (template: string, values: Record<string, string>) => {
      try {
        const filled = template.replace(/\{\{(.*?)\}\}/gs, (_, code: string) => String(runInNewContext(code, values)));
        return { headers: { 'content-type': 'text/html' }, body: filled };
      } catch {
        return { status: 500, body: 'The template is wrong' };
      }
    };
    return {
      parameter: 'name',
      value: 'Alice',
      vulnerable: (value) => render(`<p>Hello ${value}, you have {{count}} teas</p>`, { count: '3' }),
      safe: (value) => render('<p>Hello {{name}}, you have {{count}} teas</p>', { name: value, count: '3' }),
    };
  },
});
