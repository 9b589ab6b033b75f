import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { type Asking, defineSiteCheck, type Site } from '../../define-active-check.ts';
import { type Pair, pairsInComments, pairsInScript } from '../../shared/credential-pairs.ts';
import { firstLetIn, isLetIn, isLockedOut, loginsAt, requestAs } from '../../shared/login-attempts.ts';
import { commentsOf, isOwnProgram, scriptFilesOf } from '../../shared/page-scripts.ts';
import { pagesAt } from '../../shared/pages-check.ts';

interface Variant extends Pair {
  item?: InventoryItem;
  /** The script or page that contains them. */
  url: string;
  isComment?: boolean;
}

const MOST_PAIRS = 3;
const MOST_PAGES = 3;

/** Resolves to the first pair of each user: more failed logins could lock the account. */
async function pairsOn(site: Site, asking: Asking): Promise<Variant[]> {
  const found: Variant[] = [];
  const { known } = asking;
  // Pages whose scripts the crawl has seen come before those that it has not examined, such as error pages.
  const programs = pagesAt(site, known, (item) => isOwnProgram(item, known));
  const examined = programs.toSorted((a, b) => Number(!a.programs) - Number(!b.programs));
  for (const page of examined.slice(0, MOST_PAGES)) {
    for (const { url, text } of await scriptFilesOf(page, asking))
      found.push(...pairsInScript(text).map((pair) => ({ ...pair, url })));
  }
  for (const page of pagesAt(site, known, ({ seenAs }) => seenAs === null).slice(0, MOST_PAGES)) {
    const pairs = pairsInComments(await commentsOf(page, asking));
    found.push(...pairs.map((pair) => ({ ...pair, url: page.url, isComment: true })));
  }
  return [...new Map(found.toReversed().map((pair) => [pair.user, pair])).values()].toReversed();
}

export default defineSiteCheck({
  id: 'hardcoded-credentials',
  // Runs before the default passwords, which share the number of failed logins per user.
  flaw: { name: 'hardcoded-credentials', rank: -1 },
  title: 'Hard-coded credentials: script contains a valid password',
  cwe: 798,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker logs in with the password from the page source and uses the application with the rights of that account.',
  why: 'A script that every visitor downloads contains a user name and a password. An attacker reads them from the script and logs in. The password from the script logged in; another password for the same user and the same password for an unknown user were refused.',
  fix: 'Remove the credentials from the client code, change the password and check the logs for logins by others. Keep credentials of tests in the test environment only.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Webpage_Content_for_Information_Leakage',
    'https://cwe.mitre.org/data/definitions/798.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  needsNoAccount: true,
  appliesTo: (site, known) => loginsAt(site, known).length > 0 && pagesAt(site, known, () => true).length > 0,
  variants: [{ user: '', password: '', url: '' }] as Variant[],
  async probe(site, { word }, asking) {
    const { known } = asking;
    const [item] = loginsAt(site, known);
    const given = known.accounts.flatMap(({ marks, user }) => [...marks, user ?? '']);
    // Test accounts may be named in scripts of a test environment.
    const found = await pairsOn(site, asking);
    const pairs = found.filter(({ user }) => !given.includes(user)).slice(0, MOST_PAIRS);
    if (!item || pairs.length === 0) return [];
    const pair = await firstLetIn(item, pairs, word, asking);
    return pair ? [{ ...pair, item }] : [];
  },
  describe: ({ isComment }) =>
    isComment
      ? {
          title: 'Hard-coded credentials: an HTML comment contains a password that logs in',
          why: 'A comment in a page that every visitor receives contains a user name and a password. An attacker reads them in the source of the page and logs in. The password from the comment logged in; another password for the same user and the same password for an unknown user were refused.',
          fix: 'Remove the comment, change the password and check the logs for logins by others. Strip comments from pages when they are built.',
        }
      : {},
  maxRequests: 52,
  placeOf: ({ origin }, { url }) => url || origin,
  proof: {
    plan(_site, { user, password, item, url }, { word }) {
      if (!item) return undefined;
      const session = { isNew: true };
      const secrets = [password];
      const answer = { isConfidential: true };
      return {
        script: { label: 'the script or page', request: { method: 'GET', url }, as: null, answer },
        // First, so that a page for several failed logins cannot be taken for it.
        letIn: {
          label: 'with the password from the script or comment',
          request: requestAs(item, user, password),
          session,
          answer,
          secrets,
        },
        unknown: {
          label: 'with the password from the script or comment for a random user',
          request: requestAs(item, word, password),
          isControl: true,
          session,
          secrets,
        },
        // The login page that it shows again may be the page with the comment.
        wrong: {
          label: 'with another password for the same user',
          request: requestAs(item, user, word),
          isControl: true,
          session,
          secrets,
        },
      };
    },
    judge({ script, letIn, unknown, wrong }, { password }) {
      if ([letIn, unknown, wrong].some(isLockedOut)) return 'VOID';
      if (!script.response.body.toString().includes(password)) return 'REFUTED';
      return isLetIn(letIn, wrong) && isLetIn(letIn, unknown) && !isLetIn(wrong, unknown) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const parameters: Parameter[] = ['/email', '/password'].map((name) => ({ location: 'json', name, value: '' }));
    const json = (status: number, body: object) => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const page = (label: string) => ({
      headers: { 'content-type': 'text/html' },
      body: `<script>class Login{label={user:"Name",password:"${label}"};testUser="qa@shop.test";testPassword="Darjeeling-9"}</script>`,
    });
    const site =
      (password: string) =>
      ({ path, body }: { path: string; body: string }) => {
        if (path !== '/login') return page('Secret');
        const sent = JSON.parse(body) as { email: string; password: string };
        return sent.email === 'qa@shop.test' && sent.password === password
          ? json(200, { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.0123456789abcdefghijklmnopqrstuv' })
          : json(401, { error: 'Wrong name or password' });
      };
    return {
      item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
      others: [
        {
          method: 'POST',
          url: '/login',
          parameters,
          body: { type: 'application/json', text: '{"email":"","password":""}' },
          seenAs: null,
          contentType: 'application/json',
        },
      ],
      vulnerable: site('Darjeeling-9'),
      // The password was changed since.
      safe: site('Assam-4'),
    };
  },
});
