import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { fieldsIn, loginForm, openTeaShop } from '../../labs/sql.ts';
import { SQL_CVSS, SQL_CVSS4, SQL_FAMILY, SQL_FIX, SQL_IMPACT, SQL_REFERENCES } from '../../shared/sql.ts';
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
  id: 'sql-injection-login-blind',
  family: SQL_FAMILY,
  familyParameterOf: nameOf,
  // A bypass of the login is the worse consequence of the same statement.
  flaw: { name: 'sql-injection-login', rank: 2 },
  title: 'SQL injection in the login (boolean-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: 'The user name becomes part of the SQL statement that looks up the account. An attacker asks the database yes-or-no questions without an account, and reads it one character at a time. True and false conditions changed the response consistently; a true one as part of the quoted name did not.',
  fix: `${SQL_FIX} Look up the account by its name only, and respond to every failed login alike.`,
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
    const [a, , c] = nonce.numbers;
    const unknown = await send(nonce.word);
    for (const before of NAME_ENDS) {
      const isTrue = await send(conditionIn(before, nonce, `${a}=${a}`));
      if (areAlike(unknown, isTrue)) continue;
      const isFalse = await send(conditionIn(before, nonce, `${a}=${c}`));
      if (areAlike(unknown, isFalse)) return [before];
    }
    return [];
  },
  proof: {
    // Each true condition may count as a failed login of an existing account, so there is only one.
    plan(item, before, nonce) {
      const [a, b] = nonce.numbers;
      const when = (label: string, result: number) =>
        plannedLogin(item, label, conditionIn(before, nonce, `(SELECT ${a}*${b})=${result}`), nonce);
      const quoted = quotedCondition(before, nonce, `${b}=${b}`);
      return {
        unknown: plannedLogin(item, 'random user name and password', nonce.word, nonce, { isControl: true }),
        isTrue: when('true condition that only a database can compute', a * b),
        isFalse: when('false condition that only a database can compute', a * b + 1),
        quoted: plannedLogin(item, 'a true condition as part of the quoted name', quoted, nonce, { isControl: true }),
      };
    },
    judge({ unknown, isTrue, isFalse, quoted }) {
      return judgeTwoSided({
        trues: [isTrue],
        falses: [unknown, isFalse, quoted],
        harmless: [unknown],
        usualStatuses: [401],
      });
    },
  },
  lab() {
    // The application compares the password itself, so that no condition logs in.
    const ask = openTeaShop((rows) =>
      rows.length > 0 ? { status: 401, body: 'Wrong password' } : { status: 404, body: 'No such user' },
    );
    return {
      item: loginForm,
      vulnerable: ({ body }) => ask(`select password from person where name = '${fieldsIn(body).user}'`),
      safe: ({ body }) => ask('select password from person where name = ?', fieldsIn(body).user ?? ''),
    };
  },
});
