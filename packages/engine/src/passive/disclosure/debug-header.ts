import { definePassiveCheck } from '../../check.ts';

const DEBUGGING = ['x-debug-token', 'x-debug-token-link', 'x-chromelogger-data', 'x-chromephp-data'];
const FASTLY = ['fastly-debug', 'fastly-debug-path', 'fastly-debug-ttl', 'fastly-debug-digest'];
const SQL = /\bsql\b|\bselect\b.{1,300}\bfrom\b|\binsert\s+into\b|\bupdate\b.{1,100}\bset\b|\bdelete\s+from\b/i;

const sent = (headers: Record<string, string>) => ({ headers });

export default definePassiveCheck({
  id: 'debug-header',
  group: 'disclosure',
  severity: 'MEDIUM',
  cwe: 489,
  title: 'Headers for debugging are switched on',
  why: 'They lead to logs, queries and settings of the running program, or contain them. A public site seems to run in a mode that is meant for development.',
  fix: 'Switch debugging off in production: APP_ENV=prod for Symfony, no ChromeLogger or ChromePhp, no queries in Server-Timing, no Fastly-Debug.',
  references: [
    'https://symfony.com/doc/current/profiler.html',
    'https://craig.is/writing/chrome-logger/techspecs',
    'https://www.w3.org/TR/server-timing/#privacy-and-security',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const debugging = [...DEBUGGING, ...FASTLY].filter((name) => mainDocument.headers(name).length > 0);
    const tellsQueries = mainDocument.headers('server-timing').some((value) => SQL.test(value.slice(0, 4_000)));
    const found = tellsQueries ? [...debugging, 'server-timing'] : debugging;
    if (found.length > 0) yield { evidence: mainDocument.headerLines(...found) };
  },

  examples: [
    {
      name: 'the profiler of Symfony',
      given: sent({ 'X-Debug-Token': '3f2a1b', 'X-Debug-Token-Link': 'https://site.example/_profiler/3f2a1b' }),
      fails: 1,
    },
    { name: 'a log for Chrome', given: sent({ 'x-chromelogger-data': 'eyJ2ZXJzaW9uIjoiNC4xIn0=' }), fails: 1 },
    { name: 'an older log for Chrome', given: sent({ 'x-chromephp-data': 'eyJ2ZXJzaW9uIjoiMC4xIn0=' }), fails: 1 },
    { name: 'a delivery network', given: sent({ 'fastly-debug-path': '(D cache-fra1 1)' }), fails: 1 },
    {
      name: 'a query with its time',
      given: sent({ 'server-timing': 'db;desc="SELECT name FROM users WHERE id = 1";dur=3.2' }),
      fails: 1,
    },
    { name: 'the times of queries', given: sent({ 'server-timing': 'sql.active_record;dur=4.2' }), fails: 1 },
    { name: 'times only', given: sent({ 'server-timing': 'cdn-cache;desc=HIT, edge;dur=1, db;dur=53' }), fails: 0 },
    { name: 'none of them', given: {}, fails: 0 },
  ],
});
