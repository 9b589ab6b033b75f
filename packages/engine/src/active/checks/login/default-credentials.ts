import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { defineSiteCheck, type Known } from '../../define-active-check.ts';
import { firstLetIn, isLetIn, isLockedOut, loginsAt, requestAs } from '../../shared/login-attempts.ts';
import { digestsOf } from '../../shared/password-digests.ts';

interface Variant {
  user: string;
  password: string;
  item?: InventoryItem;
}

/** Few attempts per user, to avoid lockouts. Together with the control there are ten attempts. */
const PAIRS: readonly Variant[] = [
  ['admin', 'admin'],
  ['admin', 'password'],
  ['admin', 'admin123'],
  ['root', 'root'],
  ['test', 'test'],
  ['guest', 'guest'],
  ['user', 'user'],
  ['demo', 'demo'],
  ['administrator', 'administrator'],
].map(([user = '', password = '']) => ({ user, password }));

const ADMINISTRATORS = ['admin', 'administrator', 'root'];

/** Returns whether a given account of that name, which is hardly one for tests alone, has this password. */
const isOfAdministrator = ({ user, password }: Variant, accounts: Known['accounts']): boolean =>
  ADMINISTRATORS.includes(user) &&
  accounts.some(
    (each) =>
      each.user === user && digestsOf(password).some(({ hex }) => each.passwordDigests?.some((own) => own.hex === hex)),
  );

export default defineSiteCheck({
  id: 'default-credentials',
  title: 'Default credentials accepted',
  cwe: 1392,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact:
    'An attacker logs in with a password from public lists and uses the application with the rights of that account.',
  why: 'An account still has a well-known default password. Attackers try these first and take over the account, which is often an administrator. The default password logged in; another password for the same user and the same password for an unknown user were refused.',
  fix: 'Change the password now and check the logs for logins by others. Force a new password at the first login, and do not ship default accounts.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/02-Testing_for_Default_Credentials',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/1392.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (site, known) => loginsAt(site, known).length > 0,
  variants: PAIRS,
  async probe(site, { word }, asking) {
    const found: Variant[] = [];
    const { accounts } = asking.known;
    // Test accounts may have such passwords on purpose, and are not guessed.
    const given = accounts.flatMap(({ marks, user = '' }) => [...marks, user]);
    const pairs = this.variants.filter(({ user }) => !given.includes(user));
    for (const item of loginsAt(site, asking.known)) {
      found.push(
        ...this.variants.filter((each) => isOfAdministrator(each, accounts)).map((each) => ({ ...each, item })),
      );
      const pair = await firstLetIn(item, pairs, word, asking);
      if (pair) found.push({ ...pair, item });
    }
    return found;
  },
  maxRequests: 36,
  placeOf: ({ origin }, { item }) => item?.url ?? origin,
  proof: {
    plan(_site, { user, password, item }, { word }) {
      if (!item) return undefined;
      const session = { isNew: true };
      return {
        // First, so that a page for several failed logins cannot be taken for it.
        letIn: {
          label: 'with the default password',
          request: requestAs(item, user, password),
          session,
          answer: { isConfidential: true },
        },
        unknown: {
          label: 'with the default password for a random user',
          request: requestAs(item, word, password),
          isControl: true,
          session,
        },
        wrong: {
          label: 'with another password for the same user',
          request: requestAs(item, user, word),
          isControl: true,
          session,
        },
      };
    },
    judge({ letIn, unknown, wrong }) {
      if ([letIn, unknown, wrong].some(isLockedOut)) return 'VOID';
      // A site that accepts any password, or only seems to, accepts the controls as well.
      return isLetIn(letIn, wrong) && isLetIn(letIn, unknown) && !isLetIn(wrong, unknown) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const parameters: Parameter[] = [
      { location: 'form', name: 'username', value: '' },
      { location: 'form', name: 'password', value: '' },
    ];
    const form = '<form method="post"><input name="username"><input type="password" name="password"></form>';
    const refusal = {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: `<p>Wrong name or password</p>${form}`,
    };
    const welcome = { status: 302, headers: { location: '/admin', 'set-cookie': 'sid=0a1b2c3d4e' } };
    return {
      item: { method: 'POST', url: '/login', parameters, seenAs: null, contentType: 'text/html' },
      vulnerable({ body }) {
        const { username, password } = Object.fromEntries(new URLSearchParams(body));
        return username === 'admin' && password === 'admin123' ? welcome : refusal;
      },
      // Accepts any password: a honeypot or a demo, not a weak password.
      safe: () => welcome,
    };
  },
});
