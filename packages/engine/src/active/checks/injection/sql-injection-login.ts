import { areAlike } from '../../../oracle/two-sided.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { PlannedRequest } from '../../experiment.ts';
import { fieldsIn, loginForm, openTeaShop } from '../../labs/sql.ts';
import { opens } from '../../shared/login-bypass.ts';
import { SQL_CVSS, SQL_CVSS4, SQL_FAMILY, SQL_FIX, SQL_REFERENCES } from '../../shared/sql.ts';
import {
  conditionIn,
  isSqlLogin,
  loginSender,
  NAME_ENDS,
  nameOf,
  plannedLogin,
  quotedCondition,
} from '../../shared/sql-login.ts';

export default defineRequestCheck({
  id: 'sql-injection-login',
  family: SQL_FAMILY,
  familyParameterOf: nameOf,
  flaw: { name: 'sql-injection-login', rank: 1 },
  title: 'SQL injection: login bypass without a password',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact:
    'An attacker logs in as any user, administrators included, without knowing a password, and can read the database.',
  why: 'The user name becomes part of the SQL statement that looks up the account. An attacker adds a condition that is always true and is logged in as another user, often the administrator. True conditions logged in; a false condition, and a true one as part of the quoted name, did not.',
  fix: `${SQL_FIX} Look up the account by its name only, and verify the password hash in the application.`,
  references: SQL_REFERENCES,
  risk: 'intrusive',
  isForLogins: true,
  depth: 'STANDARD',
  appliesTo: isSqlLogin,
  variants: NAME_ENDS,
  // Every request is a failed login, so the limit has to avoid lockouts.
  maxRequests: 20,
  async probe(item, nonce, asking) {
    const send = loginSender(item, nonce, asking);
    const [a] = nonce.numbers;
    const unknown = await send(nonce.word);
    for (const before of NAME_ENDS) {
      if (opens(await send(conditionIn(before, nonce, `${a}=${a}`)), unknown)) return [before];
    }
    return [];
  },
  proof: {
    plan(item, before, nonce) {
      const [a, b, c] = nonce.numbers;
      const as = (label: string, name: string, how?: Pick<PlannedRequest, 'isControl'>) =>
        plannedLogin(item, label, name, nonce, how);
      const when = (condition: string) => conditionIn(before, nonce, condition);
      const quoted = quotedCondition(before, nonce, `${b}=${b}`);
      return {
        unknown: as('random user name and password', nonce.word, { isControl: true }),
        true1: as('true condition', when(`${a}=${a}`)),
        isFalse: as('false condition', when(`${a}=${c}`), { isControl: true }),
        true2: as('another true condition', when(`${b}=${b}`)),
        quoted: as('the true condition as part of the quoted name', quoted, { isControl: true }),
      };
    },
    judge({ unknown, true1, isFalse, true2, quoted }) {
      const isDenied = [isFalse, quoted].every((answer) => areAlike(unknown, answer) && !opens(answer, unknown));
      return isDenied && opens(true1, unknown) && opens(true2, unknown) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const ask = openTeaShop((rows) =>
      rows.length > 0
        ? { status: 302, headers: { location: '/account', 'set-cookie': 'sid=7c1f; HttpOnly' } }
        : { status: 401, body: 'Wrong name or password' },
    );
    return {
      item: loginForm,
      vulnerable({ body }) {
        const { user = '', password = '' } = fieldsIn(body);
        return ask(`select name from person where name = '${user}' and password = '${password}'`);
      },
      safe({ body }) {
        const { user = '', password = '' } = fieldsIn(body);
        return ask('select name from person where name = ? and password = ?', user, password);
      },
    };
  },
});
