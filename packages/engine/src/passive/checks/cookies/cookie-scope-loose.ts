import { getDomain } from 'tldts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const set = (line: string, url = 'https://app.site.example/') => ({ url, headers: { 'set-cookie': line } });

export default definePassiveCheck({
  id: 'cookie-scope-loose',
  group: 'cookies',
  severity: 'LOW',
  // Single sign-on across subdomains needs this scope.
  confidence: 'TENTATIVE',
  cwe: 565,
  title: 'Session cookie shared with all subdomains (Domain attribute)',
  why: 'A subdomain sets its session cookie with Domain set to the registrable domain, so browsers send it to every other subdomain. An attacker who controls one of them, for example through a subdomain takeover, receives the session cookies of users. Single sign-on across subdomains needs this scope; in that case the finding is informational.',
  fix: 'Omit the Domain attribute, so that only this host receives the cookie. Prefer a __Host- name, which browsers accept only without Domain.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#domain-and-path-attributes',
    'https://www.rfc-editor.org/rfc/rfc6265#section-4.1.2.3',
    'https://cwe.mitre.org/data/definitions/565.html',
  ],
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
    { name: 'registrable domain', given: set('sid=1; Domain=site.example'), fails: 1 },
    { name: 'registrable domain with a leading dot', given: set('sid=1; domain=.Site.Example'), fails: 1 },
    { name: 'no Domain attribute', given: set('sid=1'), fails: 0 },
    { name: 'host and its own subdomains', given: set('sid=1; Domain=app.site.example'), fails: 0 },
    {
      name: 'set by the registrable domain itself',
      given: set('sid=1; Domain=site.example', 'https://site.example/'),
      fails: 0,
    },
    { name: 'not a session cookie', given: set('theme=dark; Domain=site.example'), fails: 0 },
  ],
});
