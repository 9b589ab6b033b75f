import { at, definePointCheck } from '../../active-check.ts';
import { type Answer, isSame, toAnswer } from '../../oracle/compare.ts';

/** How a condition is fitted into the statement: what ends the value before it, and what makes the rest harmless. */
interface Variant {
  before: string;
  after: string;
}

/** Whoever answers so has refused the request, not looked at it. */
const REFUSALS = new Set([401, 403, 406, 429, 503]);

const LABELS = {
  base: 'unchanged value',
  true1: 'true condition',
  true2: 'another true condition',
  computed: 'true condition that only a database can compute',
  false1: 'false condition',
  false2: 'another false condition',
  wrong: 'false condition that only a database can compute',
  broken: 'condition that is no SQL',
} as const;

export default definePointCheck<Variant>({
  id: 'sql-injection-boolean',
  title: 'SQL injection: a parameter changes the condition of a query',
  cwe: 89,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  why: 'The value becomes part of an SQL statement. Whoever sends it can read, and often change, everything in the database.',
  fix: 'Pass the value as a parameter of a prepared statement. Escaping by hand and lists of forbidden words do not help.',
  risk: 'harmless',
  appliesTo: ({ item }) => item.method === 'GET',
  variants: [
    { before: "'", after: '-- ' },
    { before: '', after: '' },
    { before: "')", after: '-- ' },
    { before: '"', after: '-- ' },
    { before: "%'", after: '-- ' },
  ],
  maxRequests: 80,
  proof: {
    plan(point, { before, after }, { numbers: [a, b, c] }) {
      const { value } = point.parameter;
      const when = (condition: string) => `${value}${before} AND ${condition}${after}`;
      return [
        at(point, LABELS.base, value),
        at(point, LABELS.true1, when(`${a}=${a}`)),
        at(point, LABELS.false1, when(`${a}=${c}`)),
        at(point, LABELS.computed, when(`(SELECT ${a}*${b})=${a * b}`)),
        at(point, LABELS.wrong, when(`(SELECT ${a}*${b})=${a * b + 1}`)),
        at(point, LABELS.true2, when(`${b}=${b}`)),
        at(point, LABELS.false2, when(`${c}=${b}`)),
        at(point, LABELS.broken, when(`${c} ${b}`)),
      ];
    },
    judge(answers) {
      const compared = new Map<string, Answer>();
      // The same is taken away from all pages: a page that shows what it was asked for is no other page for that.
      const echoes = [...answers.values()].flatMap(({ request }) => [...new URL(request.url).searchParams.values()]);
      for (const [label, exchange] of answers) {
        const answer = toAnswer(exchange, echoes);
        if (!answer) return 'VOID';
        if (REFUSALS.has(answer.status) && label !== LABELS.base) return 'REFUTED';
        compared.set(label, answer);
      }
      const base = compared.get(LABELS.base);
      const falseOne = compared.get(LABELS.false1);
      if (!base || !falseOne || isSame(base, falseOne)) return 'REFUTED';
      const are = (like: Answer, ...labels: string[]) =>
        labels.every((label) => isSame(like, compared.get(label) ?? { ...like, status: 0 }));
      const isProved =
        are(base, LABELS.true1, LABELS.true2, LABELS.computed) &&
        are(falseOne, LABELS.false2, LABELS.wrong) &&
        !are(base, LABELS.broken);
      return isProved ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(':memory:');
    database.exec(
      "create table tea (kind text, name text); insert into tea values ('green', 'Sencha'), ('black', 'Assam')",
    );
    const page = (rows: readonly unknown[]) => ({
      headers: { 'content-type': 'text/html' },
      body: `<h1>Tea</h1><ul>${rows.map((row) => `<li>${(row as { name: string }).name} is a fine tea</li>`).join('')}</ul>`,
    });
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable(value) {
        try {
          return page(database.prepare(`select name from tea where kind = '${value}'`).all());
        } catch {
          return { status: 500, body: 'Something went wrong' };
        }
      },
      safe: (value) => page(database.prepare('select name from tea where kind = ?').all(value)),
    };
  },
});
