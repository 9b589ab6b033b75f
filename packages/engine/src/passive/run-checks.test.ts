import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toEvidence } from '../evidence/evidence.ts';
import { definePassiveCheck, type Given, type PassiveCheck, toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runChecks } from './run-checks.ts';

const site = toArtifacts({});

const check = (id: string, more: Partial<PassiveCheck> = {}) =>
  definePassiveCheck({
    id,
    group: 'headers',
    severity: 'LOW',
    cwe: null,
    title: 'A title',
    why: 'Why.',
    fix: 'Fix.',
    references: [],
    needs: ['mainDocument'],
    examples: [],
    run: () => [{ evidence: 'seen' }],
    ...more,
  } as PassiveCheck);

describe('a failure that another one explains', () => {
  const causes = check('cause');
  const follows = check('follows', { suppressedBy: ['other', 'cause'] });

  it('is not counted as well, and says what explains it', () => {
    const { failed, explained, found } = runChecks([follows, causes], toEvidence(site));
    assert.deepEqual(failed, ['cause']);
    assert.deepEqual(explained, [{ checkId: 'follows', reason: 'Already explained by cause.' }]);
    assert.deepEqual(
      found.map(({ checkId }) => checkId),
      ['cause'],
    );
  });

  it('counts when there is nothing that explains it', () => {
    const passes = check('cause', { run: () => [] });
    assert.deepEqual(runChecks([follows, passes], toEvidence(site)).failed, ['follows']);
  });

  it('stays a success when it is one', () => {
    const succeeds = check('follows', { suppressedBy: ['cause'], run: () => [] });
    assert.deepEqual(runChecks([succeeds, causes], toEvidence(site)).passed, ['follows']);
  });

  it('is explained also by one that is explained itself', () => {
    const last = check('last', { suppressedBy: ['follows'] });
    assert.deepEqual(runChecks([last, follows, causes], toEvidence(site)).failed, ['cause']);
  });
});

describe('a check whose evidence is missing', () => {
  it('is not run, and says why', () => {
    const evidence = toEvidence({ ...site, cors: { missing: 'The site turned it away.' } });
    const { notRun, passed, failed } = runChecks([check('a', { needs: ['mainDocument', 'cors'] })], evidence);
    assert.deepEqual(notRun, [{ checkId: 'a', reason: 'The site turned it away.' }]);
    assert.deepEqual([passed, failed], [[], []]);
  });

  const probes = [{ path: '/a' }, { path: '/b' }];
  const files = { ...toArtifacts({}, probes).files, 'GET /b': { missing: 'Too late.' } };

  it('is not run as long as it has found nothing in what is there', () => {
    const looks = check('looks', { probes, run: () => [] });
    const { notRun } = runChecks([looks], toEvidence({ ...site, files }));
    assert.deepEqual(notRun, [{ checkId: 'looks', reason: 'Too late.' }]);
    const { notRun: neverAsked } = runChecks([looks], toEvidence({ ...site, files: {} }));
    assert.equal(neverAsked.length, 1);
  });

  it('has failed when it has found something', () => {
    assert.deepEqual(runChecks([check('looks', { probes })], toEvidence({ ...site, files })).failed, ['looks']);
  });
});

describe('a check of something that the site does not have', () => {
  const silent = (needs: PassiveCheck['needs'], more: Partial<PassiveCheck> = {}) =>
    check('silent', { needs, run: () => [], ...more });
  const isPassed = (one: PassiveCheck, given: Given) => {
    const { passed, notApplicable } = runChecks([one], toEvidence(toArtifacts(given)));
    assert.equal(passed.length + notApplicable.length, 1);
    return passed.length === 1;
  };
  const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
  const policy = { headers: { 'content-security-policy': "default-src 'self'" } };
  const cookie = { headers: { 'set-cookie': 'session=1' } };
  const plain = { url: 'http://site.example/' };

  for (const [what, one, without, withIt] of [
    ['a certificate', silent(['https']), plain, {}],
    ['TLS', silent(['mainDocument', 'tls']), plain, {}],
    ['cookies', silent(['cookies']), {}, cookie],
    ['a page', silent(['mainDocument', 'page']), json, {}],
    ['a Content-Security-Policy', silent(['policies'], { group: 'csp' }), {}, policy],
    ['a domain', silent(['spf']), { dns: null }, {}],
  ] as [string, PassiveCheck, Given, Given][]) {
    it(`is not applicable without ${what}, and has not passed`, () => {
      assert.deepEqual([isPassed(one, without), isPassed(one, withIt)], [false, true]);
    });
  }

  it('has passed where it had something else to look at', () => {
    assert.ok(isPassed(silent(['page', 'notFound']), json));
    assert.ok(isPassed(silent(['mainDocument', 'policies']), {}));
    assert.ok(isPassed(silent(['mainDocument']), json));
  });

  it('has failed when it found something all the same', () => {
    const { failed, notApplicable } = runChecks([check('loud', { needs: ['cookies'] })], toEvidence(site));
    assert.deepEqual([failed, notApplicable], [['loud'], []]);
  });
});

describe('all checks together', () => {
  it('say nothing about a site that could be asked for nothing but its page', async () => {
    const missing = { missing: 'No.' };
    const gone = {
      plainHttp: missing,
      cors: missing,
      methods: missing,
      notFound: missing,
      directories: missing,
      files: {},
    };
    const checks = await loadPassiveChecks();
    const { notRun } = runChecks(checks, toEvidence({ ...site, ...gone }));
    const asking = checks.filter(({ needs }) => needs.some((name) => name in gone));
    assert.ok(asking.length > 30);
    assert.deepEqual(notRun.map(({ checkId }) => checkId).sort(), asking.map(({ id }) => id).sort());
  });
});
