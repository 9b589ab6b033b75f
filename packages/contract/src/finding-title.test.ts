import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { titleWithMorePlaces, titleWithoutPlace, titleWithPlace } from './finding-title.ts';

const url = 'https://shop.test/search?q=tea';
const q = { kind: 'parameter', name: 'q' } as const;

describe('the title of a finding', () => {
  const titles: [string, Omit<Parameters<typeof titleWithPlace>[1], 'url'>, string][] = [
    ['SQL injection', { parameter: q }, 'SQL injection in parameter `q` of /search'],
    ['IDOR: a consequence', { parameter: q }, 'IDOR: a consequence (parameter `q`) at /search'],
    ['IDOR: a consequence', {}, 'IDOR: a consequence at /search'],
    ['Mass assignment: fields', { fields: ['role'] }, 'Mass assignment: fields (`role`) at /search'],
    ['Exposure: secrets', { fields: ['a', 'b', 'c'] }, 'Exposure: secrets (`a` and 2 more) at /search'],
    ['XSS', { parameter: { kind: 'URL fragment' } }, 'XSS in URL fragment of /search'],
    ['XSS: runs', { parameter: { kind: 'URL fragment' } }, 'XSS: runs (URL fragment) at /search'],
    ['JWT: `alg: none` is accepted', {}, 'JWT: `alg: none` is accepted at /search'],
    [
      'Log4j: lookups in logged input (all)',
      { parameter: q },
      'Log4j: lookups in logged input (all) (parameter `q`) at /search',
    ],
  ];
  for (const [title, place, whole] of titles) {
    it(`is "${whole}" with its place, and "${title}" without it`, () => {
      assert.equal(titleWithPlace(title, { url, ...place }), whole);
      assert.equal(titleWithoutPlace(whole), title);
    });
  }

  it('names the route of a single-page application', () => {
    const title = titleWithPlace('XSS', { url: 'https://shop.test/#/search?q=1', parameter: q });
    assert.equal(title, 'XSS in parameter `q` of /#/search');
    assert.equal(titleWithoutPlace(title), 'XSS');
  });

  it('is one short line, whatever the target calls its parameters and paths', () => {
    for (const name of ['n'.repeat(50_000), 'a`b\n\0c`` of /x at /y', '`', '\u202e']) {
      const title = titleWithPlace('SQL injection', {
        url: `https://shop.test/${'x/'.repeat(10_000)}`,
        parameter: { kind: 'parameter', name },
        fields: ['a', name],
      });
      assert.ok(title.length < 300, `${title.length}`);
      assert.doesNotMatch(title, /[\n\0\u202e]/);
      assert.equal(titleWithoutPlace(title), 'SQL injection');
    }
  });

  it('tells the number of further places, and replaces that of an earlier title', () => {
    const title = titleWithPlace('XSS', { url, parameter: q });
    const one = titleWithMorePlaces(title, 1);
    assert.equal(one, 'XSS in parameter `q` of /search (+1 more)');
    const more = titleWithMorePlaces(one, 49);
    assert.equal(more, 'XSS in parameter `q` of /search (+49 more)');
    assert.equal(titleWithMorePlaces(more, 0), title);
    assert.equal(titleWithoutPlace(more), 'XSS');
    assert.equal(titleWithMorePlaces('XSS in parameter `q` of /search and one more place', 2), `${title} (+2 more)`);
    assert.equal(
      titleWithoutPlace('Mass assignment (`role`) at /search (+1 more) and 3 more places'),
      'Mass assignment',
    );
    const fields = titleWithPlace('Mass assignment', { url, fields: ['role', 'id'] });
    assert.equal(titleWithoutPlace(titleWithMorePlaces(fields, 2)), 'Mass assignment');
  });

  it('stays as it is where it has no place', () => {
    assert.equal(titleWithoutPlace('SQL injection'), 'SQL injection');
    assert.equal(
      titleWithoutPlace('Stack trace disclosed in error responses'),
      'Stack trace disclosed in error responses',
    );
  });
});
