import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, toArtifacts } from '../../passive/define-passive-check.ts';
import { toEvidence } from '../evidence.ts';
import { openSources, sourcesFor } from './policies.ts';

const policiesOf = (given: Given) => toEvidence(toArtifacts(given)).policies;
const sent = (...values: string[]) => policiesOf({ headers: { 'content-security-policy': values } }).enforced;
const textsOf = (policies: readonly { text: string }[]) => policies.map(({ text }) => text);

describe('the policies of a page', () => {
  it('are kept apart, those of each header, of each part of one, and of the page', () => {
    const { enforced, reportOnly } = policiesOf({
      headers: {
        'Content-Security-Policy': ['img-src a, img-src b,', 'img-src c'],
        'Content-Security-Policy-Report-Only': 'img-src d',
      },
      body: '<meta http-equiv=" content-security-policy " content="img-src e; sandbox">',
    });
    assert.deepEqual(textsOf(enforced), ['img-src a', 'img-src b', 'img-src c', 'img-src e; sandbox']);
    assert.deepEqual(
      enforced.map(({ isMeta }) => isMeta),
      [false, false, false, true],
    );
    assert.deepEqual([...(enforced[3]?.directives.keys() ?? [])], ['img-src'], 'browsers ignore sandbox in a page');
    assert.deepEqual(textsOf(reportOnly), ['img-src d']);
  });

  it('are read without what browsers leave out', () => {
    const [policy] = sent("Script-Src 'self'\thttps://a.example;; script-src *; img-src é; constructor x");
    assert.deepEqual(
      [...(policy?.directives ?? [])],
      [
        ['script-src', ["'self'", 'https://a.example']],
        ['constructor', ['x']],
      ],
    );
    assert.deepEqual(policy?.repeated, ['script-src']);
  });

  it('are none with an answer that is no page', () => {
    const headers = { 'content-type': 'application/json', 'content-security-policy': "default-src 'none'" };
    assert.deepEqual(policiesOf({ headers }), { enforced: [], reportOnly: [] });
  });

  it('are read in the head of the page only', () => {
    const meta = '<meta http-equiv="Content-Security-Policy" content="img-src a">';
    assert.equal(policiesOf({ body: `<body><p>${meta}` }).enforced.length, 0);
    assert.equal(policiesOf({ body: `<head></head>${meta}` }).enforced.length, 1, 'browsers move it in');
  });
});

describe('the sources for a kind of content', () => {
  const sourcesIn = (policy: string, directive: string) => sent(policy).map((one) => sourcesFor(one, directive))[0];

  for (const [directive, policy, sources] of [
    ['script-src-elem', 'script-src-elem a; script-src b; default-src c', ['a']],
    ['script-src-elem', 'script-src b; default-src c', ['b']],
    ['style-src-attr', 'default-src c', ['c']],
    ['worker-src', 'script-src b; child-src d; default-src c', ['d']],
    ['frame-src', 'script-src b; default-src c', ['c']],
    ['object-src', 'script-src b', undefined],
    ['object-src', 'object-src; default-src c', []],
  ] as const) {
    it(`are ${sources?.join(' ') ?? 'not restricted'} for ${directive} in "${policy}"`, () => {
      assert.deepEqual(sourcesIn(policy, directive), sources);
    });
  }

  it('are open when no policy stops them', () => {
    const asterisk = (sources: readonly string[]) => sources.filter((source) => source === '*');
    assert.deepEqual(openSources(sent('script-src *', 'img-src a', 'default-src *'), 'script-src', asterisk), ['*']);
    assert.deepEqual(openSources(sent('script-src *', 'script-src a'), 'script-src', asterisk), []);
    assert.deepEqual(openSources(sent('img-src *'), 'script-src', asterisk), []);
  });
});
