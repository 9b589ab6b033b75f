import { callWith } from '../../../oracle/payloads.ts';
import { shownPage } from '../../../oracle/shown-page.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { isEchoed, shownEcho } from '../../shared/shown-echo.ts';

/** Whether the expression runs a script or only computes. */
const VARIANTS = ['runs', 'computes'] as const;

/** AngularJS, Vue and similar frameworks. */
const FRAMEWORK = /\bng-(?:app|controller|bind|model)\b|angular|\bvue\b|\bv-(?:if|for|on|bind|model|cloak)\b|v-scope/i;

const sum = ({ word, numbers: [a, b] }: Nonce) => `${word}{{${a}*${b}}}${word}`;
const result = ({ word, numbers: [a, b] }: Nonce) => `${word}${a * b}${word}`;
const looking = (nonce: Nonce) => `document.documentElement.textContent.includes('${result(nonce)}') ? 'computed' : ''`;
// These frameworks provide this function, whose constructor creates new functions.
const script = ({ word }: Nonce) => `{{$emit.constructor('${callWith(word)}')()}}`;

export default definePointCheck({
  id: 'csti',
  family: { name: 'script-injection', by: 'sink' },
  isInPage: true,
  flaw: { name: 'script-injection', rank: 2 },
  title: 'Client-side template injection (CSTI)',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker runs scripts in the session of a visitor who opens a link, reads their data and acts in their name.',
  asvs: '1.3.7',
  why: 'The server writes the value into a part of the page that a framework such as AngularJS or Vue compiles as a template. HTML encoding does not protect there: an attacker who lures a visitor to a link runs scripts in their session. An expression in the value was evaluated in the browser.',
  fix: 'Pass values to the framework as data, not as template source. Where the server must write them into the template, mark the element with v-pre or ng-non-bindable.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://portswigger.net/web-security/cross-site-scripting/contexts/client-side-template-injection',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  locations: ['query', 'path', 'form', 'multipart'],
  appliesTo: ({ item: { method } }) => method === 'GET' || method === 'POST',
  isWorthTrying: ({ isReflected }) => isReflected,
  variants: VARIANTS,
  maxRequests: 30,
  async probe(point, nonce, asking) {
    const { ask, open } = asking;
    const echo = await shownEcho(point, asking);
    // A page is the same one for all values that it shows.
    if (isEchoed(echo) && !FRAMEWORK.test(echo.page)) return [];
    const page = shownPage(await ask(requestWith(point, sum(nonce))));
    if (!page.includes(sum(nonce)) || !FRAMEWORK.test(page)) return [];
    const opened = await open({ request: requestWith(point, sum(nonce)), browser: { look: looking(nonce) } });
    return opened?.seen === undefined ? [] : VARIANTS;
  },
  proof: {
    plan(point, variant, nonce) {
      const [value, browser] =
        variant === 'runs' ? [script(nonce), { awaited: nonce.word }] : [sum(nonce), { look: looking(nonce) }];
      return { attack: at(point, 'expression in a template, opened in a browser', value, { browser }) };
    },
    judge({ attack: { calls, seen, response } }, variant, nonce) {
      if (!calls) return 'VOID';
      if (variant === 'runs') return calls.includes(nonce.word) ? 'PROVED' : 'REFUTED';
      // An expression that the server evaluated is a different flaw (SSTI).
      const isOurs = seen !== undefined && !response.body.includes(result(nonce));
      return isOurs ? 'LIKELY' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'q',
    value: 'tea',
    vulnerable: (value) => ({ headers: HTML, body: shop(`<p>Nothing was found for ${escaped(value)}</p>`) }),
    safe: (value) => ({ headers: HTML, body: shop(`<p v-pre>Nothing was found for ${escaped(value)}</p>`) }),
  }),
});

const HTML = { 'content-type': 'text/html' };
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
/** A minimal framework that compiles templates from the page, as Vue does. */
const shop = (content: string) => `<div id="app" v-cloak>${content}</div><script>
  const scope = { $emit() {} };
  const compute = (_, text) => new Function('scope', 'with (scope) { return ' + text + ' }')(scope);
  for (const each of document.querySelectorAll('#app :not([v-pre])'))
    each.textContent = each.textContent.replace(/{{(.*?)}}/g, compute);
</script>`;
