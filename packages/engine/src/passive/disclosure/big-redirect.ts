import { definePassiveCheck } from '../../check.ts';

/** What the usual text round a link needs. */
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
  title: 'A redirect carries a page of its own',
  why: 'Browsers follow the redirect and never show its body, but anybody can read it. Often it is the page that the visitor should not get without signing in, because the program does not stop after redirecting.',
  fix: 'End the handling of the request where the redirect is sent (return or exit), and send at most a short note with a link.',
  references: ['https://owasp.org/www-community/attacks/Execution_After_Redirect_(EAR)'],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, status, headers, redirectBody } of answers) {
      const [location] = headers('location');
      if (status < 300 || status > 399 || status === 304 || location === undefined) continue;
      const links = redirectBody.match(/href/gi)?.length ?? 0;
      if (redirectBody.length <= location.length + USUAL_CHARACTERS && links <= 1) continue;
      yield {
        url: url.href,
        evidence: `status ${status} with a body of ${redirectBody.length} characters, ${links} links`,
      };
    }
  },

  examples: [
    { name: 'a long body', given: redirect('x'.repeat(400)), fails: 1 },
    { name: 'two links', given: redirect(`${link}${link}`), fails: 1 },
    { name: 'as long as is usual', given: redirect(`${'x'.repeat(250)}${link}`), fails: 0 },
    { name: 'a short note', given: redirect(`Moved ${link}`, 301), fails: 0 },
    { name: 'no body', given: redirect(''), fails: 0 },
    { name: 'no redirect', given: { body: `${link}${'x'.repeat(900)}${link}` }, fails: 0 },
  ],
});
