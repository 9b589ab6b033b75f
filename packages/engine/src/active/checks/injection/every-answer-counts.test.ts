import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { CheckAbout, Subjects } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import { loadActiveChecks } from '../../load-checks.ts';

const ids = globSync('*.ts', { cwd: import.meta.dirname }).map((file) => path.basename(file, '.ts'));
const checks = (await loadActiveChecks()).filter(({ id }) => ids.includes(id)) as CheckAbout<keyof Subjects, unknown>[];
type Answers = ReadonlyMap<string, Observation>;

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(checks as Parameters<typeof openLabs>[0]);
});
after(() => labs.close());

/** Keeps the request, but takes response and timing from another exchange. */
function answeredLike(asked: Observation, other: Observation | undefined): Observation {
  const { request } = asked;
  return { ...(other ?? asked), request };
}

function changed(answers: Answers, change: (key: string, answer: Observation) => Observation): Answers {
  return new Map([...answers].map(([key, answer]) => [key, change(key, answer)]));
}

describe('a proof of injection', () => {
  it('is there for every check of the group', () => assert.ok(checks.length >= 17));

  for (const check of checks.filter(({ needsOutside }) => needsOutside)) {
    it(`of ${check.id} is none without the call that was heard`, async () => {
      const { answers, judge } = await labs.record(check);
      const silent = changed(answers, (_key, answer) => ({ ...answer, heard: [] }));
      assert.notEqual(judge(silent), 'PROVED');
      for (const key of answers.keys()) {
        assert.notEqual(
          judge(new Map([...answers].filter(([each]) => each !== key))),
          'PROVED',
          `"${key}" may be missing`,
        );
      }
    });
  }

  for (const check of checks.filter(({ needsOutside }) => !needsOutside)) {
    it(`of ${check.id} falls with any one of its answers`, async () => {
      const { answers, judge } = await labs.record(check);
      for (const key of answers.keys()) {
        const verdicts = [...answers.values()].map((other) =>
          judge(changed(answers, (each, answer) => (each === key ? answeredLike(answer, other) : answer))),
        );
        assert.ok(
          verdicts.some((verdict) => verdict !== 'PROVED'),
          `"${key}" does not count`,
        );
        const missing = new Map([...answers].filter(([each]) => each !== key));
        assert.notEqual(judge(missing), 'PROVED', `"${key}" may be missing`);
      }
    });

    it(`of ${check.id} needs more than one and the same answer, and none that was refused`, async () => {
      const { answers, judge } = await labs.record(check);
      for (const one of answers.values()) {
        assert.notEqual(judge(changed(answers, (_key, answer) => answeredLike(answer, one))), 'PROVED');
      }
      for (const status of [403, 429, 503]) {
        const body = Buffer.from('Request blocked');
        const refuse = (answer: Observation): Observation => ({
          ...answer,
          response: { status, headers: [], body, isCut: false },
        });
        const [first] = answers.keys();
        const verdict = judge(changed(answers, (key, answer) => (key === first ? answer : refuse(answer))));
        assert.ok(verdict === 'VOID' || verdict === 'REFUTED', verdict);
      }
    });
  }
});
