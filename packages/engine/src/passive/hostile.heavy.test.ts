import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import fc from 'fast-check';
import { toEvidence } from '../evidence/evidence.ts';
import { ScanFinding } from '../protocol/finding.ts';
import { type Given, toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

const SITES = isFull ? 2_500 : 150;
/** The engine's limit for the headers of a response. */
const MAX_HEADER_CHARACTERS = 16_384;
/** Limit for one check on one site and for parsing the site: far above normal, far below runaway time. */
const MAX_MILLISECONDS = 500;

const groups = new Set(['headers', 'csp', 'cookies', 'disclosure']);
const checks = (await loadPassiveChecks()).filter(({ group }) => groups.has(group));
const examples = checks.flatMap((check) => check.examples.map(({ given }) => given));
const answers = examples.flatMap((given) => [given, ...(given.before ?? [])]);

/** Header names and words of the examples, so that new checks are tested with their own vocabulary. */
const names = [...new Set(answers.flatMap(({ headers = {} }) => Object.keys(headers)))];
const words = [
  ...new Set(
    answers.flatMap(({ headers = {} }) =>
      Object.values(headers)
        .flat()
        .flatMap((value) => value.split(/(\W)/)),
    ),
  ),
  ...['__proto__', 'constructor', '\0', '\ufeff', 'é', '{{', '[::', '999999999999', '%', 'W/"', '//', '..', '()'],
];

const word = fc.constantFrom(...words);
const binary = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
const sentence = fc.array(word, { maxLength: 40 }).map((parts) => parts.join(''));
const flood = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), word)
  .map(([parts, end]) => parts.join('').repeat(MAX_HEADER_CHARACTERS).slice(0, MAX_HEADER_CHARACTERS) + end);
const known = fc.constantFrom(...answers.flatMap(({ headers = {} }) => Object.values(headers).flat()));
const value = fc.oneof(
  { arbitrary: known, weight: 4 },
  { arbitrary: sentence, weight: 4 },
  { arbitrary: binary, weight: 2 },
  { arbitrary: flood, weight: 1 },
);
const headers = fc.dictionary(fc.constantFrom(...names), fc.array(value, { maxLength: 3 }), { maxKeys: 12 });
const url = fc.constantFrom(
  'https://site.example/',
  'http://site.example/',
  'https://www.site.example:8443/a?b#c',
  'https://[2001:db8::1]/',
  'http://10.1.2.3/',
  'https://localhost/',
  'https://xn--bcher-kva.example/',
);
const meta = fc
  .tuple(fc.constantFrom('http-equiv="content-security-policy" content', 'name="referrer" content', 'charset'), value)
  .map(([attribute, text]) => `<meta ${attribute}="${text}">`);
const body = fc.array(fc.oneof(meta, sentence, flood), { maxLength: 4 }).map((parts) => parts.join(''));
const parts = { url, headers, body, status: fc.constantFrom(200, 204, 301, 304, 401) };
const site = fc.record({ ...parts, before: fc.array(fc.record(parts), { maxLength: 2 }) });

function timed<Result>(run: () => Result): [Result, milliseconds: number] {
  const start = performance.now();
  return [run(), performance.now() - start];
}

/** Runs all checks, validates their findings and returns the slowest check. */
function runAll(given: Given): { id: string; milliseconds: number } {
  const [evidence, reading] = timed(() => toEvidence(toArtifacts(given)));
  const runs = checks.map((check) => {
    const [found, milliseconds] = timed(() => runCheck(check, evidence));
    for (const { group: _, ...finding } of found) ScanFinding.parse({ ...finding, scoreImpact: 0 });
    return { id: check.id, milliseconds };
  });
  return [...runs, { id: 'reading the site', milliseconds: reading }].reduce((slowest, run) =>
    run.milliseconds > slowest.milliseconds ? run : slowest,
  );
}

describe('the checks of headers, policies, cookies and disclosure', () => {
  it('end soon and with findings that can be kept, whatever a site sends', (context) => {
    let slowest = { id: 'none', milliseconds: 0 };
    fc.assert(
      fc.property(site, (given) => {
        const first = runAll(given);
        // Retries once, because a busy machine can be slow.
        const run = first.milliseconds < MAX_MILLISECONDS ? first : runAll(given);
        if (run.milliseconds > slowest.milliseconds) slowest = run;
        assert.ok(run.milliseconds < MAX_MILLISECONDS, `${run.id} took ${run.milliseconds} ms`);
      }),
      { numRuns: SITES, seed: 20_260_101, endOnFailure: true },
    );
    context.diagnostic(`${checks.length} checks, the slowest ${slowest.id} with ${slowest.milliseconds.toFixed(1)} ms`);
  });
});
