import { definePassiveCheck } from '../../define-passive-check.ts';

/** Length of a usual redirect body without the URL in its link. */
const USUAL_CHARACTERS = 300;

const redirect = (body: string, status = 302) => ({
  before: [{ status, headers: { location: 'https://site.example/home' }, body }],
});
const link = '<a href="https://site.example/home">here</a>';

export default definePassiveCheck({
  id: 'big-redirect',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 201,
  title: 'Execution after redirect (EAR): redirect response contains a page',
  why: 'The body of the redirect is far longer than a link to the new location. The application probably continues to run after it has sent the redirect (execution after redirect). An attacker who ignores the Location header can read a page that requires a login, or trigger its actions.',
  fix: 'Stop processing after the redirect, for example with return or exit. Send no body, or a short note with a link.',
  references: [
    'https://owasp.org/www-community/attacks/Execution_After_Redirect_(EAR)',
    'https://cwe.mitre.org/data/definitions/201.html',
  ],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, status, headers, redirectBody } of answers) {
      const [location] = headers('location');
      if (status < 300 || status > 399 || status === 304 || location === undefined) continue;
      const links = redirectBody.match(/href/gi)?.length ?? 0;
      if (redirectBody.length <= location.length + USUAL_CHARACTERS && links <= 1) continue;
      yield {
        url: url.href,
        evidence: `status ${status}, body of ${redirectBody.length} characters with ${links} links`,
      };
    }
  },

  examples: [
    { name: 'long body', given: redirect('x'.repeat(400)), fails: 1 },
    { name: 'two links', given: redirect(`${link}${link}`), fails: 1 },
    { name: 'usual length', given: redirect(`${'x'.repeat(250)}${link}`), fails: 0 },
    { name: 'short note', given: redirect(`Moved ${link}`, 301), fails: 0 },
    { name: 'no body', given: redirect(''), fails: 0 },
    { name: 'no redirect', given: { body: `${link}${'x'.repeat(900)}${link}` }, fails: 0 },
  ],
});
