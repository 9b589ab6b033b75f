import { definePassiveCheck } from '../../define-passive-check.ts';

const DEBUGGING = ['x-debug-token', 'x-debug-token-link', 'x-chromelogger-data', 'x-chromephp-data'];
const FASTLY = ['fastly-debug', 'fastly-debug-path', 'fastly-debug-ttl', 'fastly-debug-digest'];
const SQL = /\bsql\b|\bselect\b.{1,300}\bfrom\b|\binsert\s+into\b|\bupdate\b.{1,100}\bset\b|\bdelete\s+from\b/i;

const sent = (headers: Record<string, string>) => ({ headers });

export default definePassiveCheck({
  id: 'debug-header',
  group: 'disclosure',
  severity: 'MEDIUM',
  cwe: 489,
  title: 'Debug headers enabled in production',
  why: 'The response contains debug headers such as X-Debug-Token or SQL statements in Server-Timing. They disclose log entries, database queries and configuration, or link to a profiler that does. An attacker uses them to find vulnerable code and credentials.',
  fix: 'Disable debug mode in production: APP_ENV=prod in Symfony, no ChromeLogger or ChromePHP. Remove SQL statements from Server-Timing and disable Fastly-Debug.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
    'https://symfony.com/doc/current/profiler.html',
    'https://craig.is/writing/chrome-logger/techspecs',
    'https://www.w3.org/TR/server-timing/#privacy-and-security',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const debugging = [...DEBUGGING, ...FASTLY].filter((name) => mainDocument.headers(name).length > 0);
    const hasQueries = mainDocument.headers('server-timing').some((value) => SQL.test(value.slice(0, 4_000)));
    const found = hasQueries ? [...debugging, 'server-timing'] : debugging;
    if (found.length > 0) yield { evidence: mainDocument.headerLines(...found) };
  },

  examples: [
    {
      name: 'Symfony profiler',
      given: sent({ 'X-Debug-Token': '3f2a1b', 'X-Debug-Token-Link': 'https://site.example/_profiler/3f2a1b' }),
      fails: 1,
    },
    { name: 'ChromeLogger', given: sent({ 'x-chromelogger-data': 'eyJ2ZXJzaW9uIjoiNC4xIn0=' }), fails: 1 },
    { name: 'ChromePHP', given: sent({ 'x-chromephp-data': 'eyJ2ZXJzaW9uIjoiMC4xIn0=' }), fails: 1 },
    { name: 'Fastly debug header', given: sent({ 'fastly-debug-path': '(D cache-fra1 1)' }), fails: 1 },
    {
      name: 'SQL statement in Server-Timing',
      given: sent({ 'server-timing': 'db;desc="SELECT name FROM users WHERE id = 1";dur=3.2' }),
      fails: 1,
    },
    { name: 'SQL metric in Server-Timing', given: sent({ 'server-timing': 'sql.active_record;dur=4.2' }), fails: 1 },
    {
      name: 'other metrics in Server-Timing',
      given: sent({ 'server-timing': 'cdn-cache;desc=HIT, edge;dur=1, db;dur=53' }),
      fails: 0,
    },
    { name: 'no debug headers', given: {}, fails: 0 },
  ],
});
