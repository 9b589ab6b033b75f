import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../check.ts';

const set = (line: string, url = 'https://app.site.example/') => ({ url, headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-scope-loose',
  group: 'cookies',
  severity: 'LOW',
  // One sign-in for all subdomains needs it.
  confidence: 'TENTATIVE',
  cwe: 565,
  title: 'A session cookie is sent to all subdomains',
  why: 'The cookie is set for the whole domain although one subdomain sets it. Every other subdomain gets it too, also one that was forgotten or taken over.',
  fix: 'Leave Domain out, so that only this host gets the cookie; best name it __Host-…. If one sign-in is meant for all subdomains, this can be left as it is.',
  references: ['https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.3'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, domain, isSession } of cookies) {
      if (!isSession || domain === undefined) continue;
      const { hostname } = new URL(url);
      const isWhole = hostname !== domain && domain === getDomain(hostname, { allowPrivateDomains: true });
      if (isWhole) yield { url, evidence: `set-cookie: ${name}=…; Domain=${domain}` };
    }
  },

  examples: [
    { name: 'the whole domain', given: set('sid=1; Domain=site.example'), fails: 1 },
    { name: 'with a leading dot', given: set('sid=1; domain=.Site.Example'), fails: 1 },
    { name: 'the host only', given: set('sid=1'), fails: 0 },
    { name: 'the host and what lies below', given: set('sid=1; Domain=app.site.example'), fails: 0 },
    { name: 'set by the domain itself', given: set('sid=1; Domain=site.example', 'https://site.example/'), fails: 0 },
    { name: 'no session', given: set('theme=dark; Domain=site.example'), fails: 0 },
  ],
});
