import { MARKUP, payloadsFor, writePayload } from '../../../oracle/payloads.ts';
import { shownPage } from '../../../oracle/shown-page.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { shownEcho } from '../../shared/shown-echo.ts';

/** Markup that ends the context in which the value is shown. */
type Variant = string;

/** Includes a script: if it runs, the flaw is XSS instead. */
const write = (end: Variant, word: string) =>
  `${end}</form><form id=${word} action=//${word}.example><input></form>${writePayload({ text: MARKUP }, word)}`;

export default definePointCheck({
  id: 'html-injection',
  family: { name: 'script-injection', by: 'sink' },
  isInPage: true,
  flaw: { name: 'script-injection', rank: 3 },
  title: 'HTML injection',
  cwe: 80,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker shows their own content on your site to a visitor who opens a link, such as a login form that collects passwords.',
  why: 'The page includes the value as markup. Scripts in it do not run, but an attacker who lures a visitor to a link shows their own content on your site, for example a login form that sends passwords to them. A form in the value became part of the page in the browser.',
  fix: 'Encode the value for the context in which the page shows it, with an auto-escaping template engine. Removing tags or words is no fix, nor is the Content-Security-Policy alone.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/11-Client-side_Testing/03-Testing_for_HTML_Injection',
    'https://cwe.mitre.org/data/definitions/80.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  locations: ['query', 'path', 'form', 'multipart'],
  appliesTo: ({ item: { method } }) => method === 'GET' || method === 'POST',
  isWorthTrying: ({ isReflected }) => isReflected,
  variants: [] as Variant[],
  maxRequests: 30,
  async probe(point, _nonce, asking) {
    const { page, word } = await shownEcho(point, asking);
    const ends = payloadsFor(page, word).filter(({ text }) => text.endsWith(MARKUP));
    if (ends.length > 0) return ends.slice(0, 2).map(({ text }) => text.slice(0, -MARKUP.length));
    // Some filters allow a few elements but no other brackets; full escaping allows none.
    const [, survived = ''] = new RegExp(`${word}a(.{0,200}?)${word}b`, 's').exec(page) ?? [];
    if (!/[<>"']/.test(survived)) return [];
    const heading = `<h1 id=${word}>`;
    return shownPage(await asking.ask(requestWith(point, heading))).includes(heading) ? [''] : [];
  },
  proof: {
    plan: (point, end, { word }) => ({
      attack: at(point, 'form and script in the value, opened in a browser', write(end, word), {
        browser: {
          awaited: word,
          look: `document.querySelector('form#${word}[action*="${word}.example"]') ? 'shown' : ''`,
        },
      }),
    }),
    judge({ attack: { calls, seen } }, _end, { word }) {
      if (!calls) return 'VOID';
      return seen === 'shown' && !calls.includes(word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'q',
    value: 'tea',
    vulnerable: (value) => ({ headers: HEADERS, body: `<title>Search</title><p>Nothing was found for ${value}</p>` }),
    // Scripts run here as well, which the XSS check reports.
    safe: (value) => ({ headers: { ...HEADERS, 'content-security-policy': '' }, body: `<p>For ${value}</p>` }),
  }),
});

const HEADERS = { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'" };
