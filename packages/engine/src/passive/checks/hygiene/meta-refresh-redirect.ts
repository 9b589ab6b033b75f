import { readMetaTags } from '../../../html/meta-tags.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Meta tags are in the head, so the rest of a long or deeply nested page need not be parsed. */
const MAX_CHARACTERS = 100_000;
const REFRESH = /^\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?["']?([^"']*)/i;

export default definePassiveCheck({
  id: 'meta-refresh-redirect',
  group: 'hygiene',
  severity: 'INFO',
  cwe: 601,
  title: 'Meta refresh redirects to another site',
  why: 'A meta refresh tag sends visitors to another site. Such a redirect does not appear in HTTP logs or caches, and an attacker who can inject HTML uses the same technique to send visitors to a phishing page. The evidence shows the tag.',
  fix: 'If the redirect is intended, send a redirect status with a Location header. Otherwise remove the tag and find out how it got into the page.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
    'https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh',
    'https://cwe.mitre.org/data/definitions/601.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument: { body, url, isHtml } }) {
    if (!isHtml) return;
    for (const content of readMetaTags(body.slice(0, MAX_CHARACTERS), 'refresh', 'http-equiv')) {
      const target = URL.parse(REFRESH.exec(content)?.[1]?.trim() ?? '', url.href);
      if (target && target.origin !== url.origin) yield { evidence: `refresh: ${content}` };
    }
  },

  examples: [
    {
      name: 'to another site',
      given: { body: '<meta http-equiv="Refresh" content="0; url=https://other.example/">' },
      fails: 1,
    },
    { name: 'to the same site', given: { body: '<meta http-equiv="refresh" content="0;url=/home">' }, fails: 0 },
    { name: 'reload only', given: { body: '<meta http-equiv="refresh" content="300">' }, fails: 0 },
    { name: 'in a comment', given: { body: '<!--<meta http-equiv=refresh content="0;url=//a.example">-->' }, fails: 0 },
    { name: 'no meta refresh', given: {}, fails: 0 },
  ],
});
