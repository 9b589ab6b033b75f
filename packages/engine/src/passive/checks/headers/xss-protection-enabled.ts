import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (value: string) => ({ headers: { 'x-xss-protection': value } });

export default definePassiveCheck({
  id: 'xss-protection-enabled',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'Obsolete X-XSS-Protection header enabled',
  why: 'The site enables the XSS filter of old browsers with X-XSS-Protection: 1. Current browsers have removed it, and in old ones an attacker can abuse the filter to disable scripts of the page or to learn its content. The evidence shows the header as sent.',
  fix: 'Remove the header or send X-XSS-Protection: 0, and use a Content-Security-Policy against cross-site scripting (XSS). The policy also covers the browsers that never had the filter.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-XSS-Protection',
    'https://cwe.mitre.org/data/definitions/477.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isOn = mainDocument.headers('x-xss-protection').some((value) => /^\s*1/.test(value));
    if (isOn) yield { evidence: mainDocument.headerLines('x-xss-protection') };
  },

  examples: [
    { name: '1', given: sent('1'), fails: 1 },
    { name: '1; mode=block', given: sent('1; mode=block'), fails: 1 },
    { name: '0', given: sent('0'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
