import { definePassiveCheck } from '../../check.ts';

const sent = (value: string) => ({ headers: { 'x-xss-protection': value } });

export default definePassiveCheck({
  id: 'xss-protection-enabled',
  group: 'headers',
  severity: 'INFO',
  cwe: 477,
  title: 'An abandoned filter of old browsers is switched on',
  why: 'Current browsers have no such filter any more. In the old ones X-XSS-Protection: 1 protects little and can itself be used to switch off scripts of the page, or to learn about it.',
  fix: 'Remove the header, or send X-XSS-Protection: 0, and rely on a Content-Security-Policy.',
  references: ['https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/X-XSS-Protection'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isOn = mainDocument.headers('x-xss-protection').some((value) => /^\s*1/.test(value));
    if (isOn) yield { evidence: mainDocument.headerLines('x-xss-protection') };
  },

  examples: [
    { name: 'on', given: sent('1'), fails: 1 },
    { name: 'blocking', given: sent('1; mode=block'), fails: 1 },
    { name: 'off', given: sent('0'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
