import { baseOf } from '../../../evidence/page/loads.ts';
import { redacted } from '../../../evidence/page/redacted.ts';
import { isSameSite } from '../../../evidence/page/same-site.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const SESSION =
  /[?&;](jsessionid|phpsessid|aspsessionid[a-z]{0,10}|sessionid|session_id|sid|cftoken)=([\w.!-]{9,300})/i;
const MOST_SHOWN = 3;

export default definePassiveCheck({
  id: 'session-id-in-url',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 598,
  title: 'Session ID in URL',
  why: 'Links or redirects of the site contain a session ID in the URL. URLs are stored in the browser history and in logs, shared by users, and sent to other sites in the Referer header. An attacker who obtains such a URL can hijack the session.',
  fix: 'Keep the session ID in a cookie only: session.use_only_cookies = 1 in PHP, tracking-mode COOKIE in Java. Issue a new session ID after login.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#used-vs-accepted-session-id-exchange-mechanisms',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/04-Testing_for_Exposed_Session_Variables',
    'https://cwe.mitre.org/data/definitions/598.html',
  ],
  needs: ['answers', 'mainDocument', 'page'],

  *run({ answers, mainDocument: { url }, page }) {
    const base = baseOf(page, url).href;
    const found = page.elements.flatMap(({ attributes }) =>
      ['href', 'action', 'src'].flatMap((name) => {
        const written = attributes.get(name) ?? '';
        const link = SESSION.test(written) ? URL.parse(written, base) : null;
        const [, key = '', value = ''] = SESSION.exec(link ? link.pathname + link.search : '') ?? [];
        return link && key && isSameSite(link, url) ? [`${link.origin}… ${key}=${redacted(value)}`] : [];
      }),
    );
    // A session ID in the URL of the scan request does not come from the site.
    const requested = answers[0]?.url;
    for (const { url: step } of answers.slice(1)) {
      const [written = '', key = '', value = ''] = SESSION.exec(step.pathname + step.search) ?? [];
      const isOwn = key !== '' && isSameSite(step, url) && !requested?.href.includes(written);
      if (isOwn) found.push(`redirect to ${step.origin}… ${key}=${redacted(value)}`);
    }
    if (found.length > 0) yield { evidence: [...new Set(found)].slice(0, MOST_SHOWN).join('\n') };
  },

  examples: [
    { name: 'Java', given: { body: '<a href="/cart;jsessionid=A1B2C3D4E5F60718">Cart</a>' }, fails: 1 },
    { name: 'PHP, in a form', given: { body: '<form action="/in?PHPSESSID=3f2a9c81b7d04e55"></form>' }, fails: 1 },
    {
      name: 'redirect of the site',
      given: {
        before: [{ url: 'https://site.example/' }],
        url: 'https://site.example/home;jsessionid=A1B2C3D4E5F60718',
      },
      fails: 1,
    },
    {
      name: 'in the requested URL',
      given: { url: 'https://site.example/home;jsessionid=A1B2C3D4E5F60718' },
      fails: 0,
    },
    {
      name: 'in the requested URL, kept by a redirect to HTTPS',
      given: {
        before: [{ url: 'http://site.example/a?sid=3f2a9c81b7d04e55' }],
        url: 'https://site.example/a?sid=3f2a9c81b7d04e55',
      },
      fails: 0,
    },
    { name: 'short value', given: { body: '<a href="/a?sid=12345678">a</a>' }, fails: 0 },
    { name: 'other parameter', given: { body: '<a href="/a?insid=3f2a9c81b7d04e55">a</a>' }, fails: 0 },
    {
      name: 'link to another site',
      given: { body: '<a href="https://a.example/?sid=3f2a9c81b7d04e55">a</a>' },
      fails: 0,
    },
    { name: 'in visible text', given: { body: '<p>/cart;jsessionid=A1B2C3D4E5F60718</p>' }, fails: 0 },
  ],
});
