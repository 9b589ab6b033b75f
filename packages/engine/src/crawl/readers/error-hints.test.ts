import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readErrorHints } from './error-hints.ts';

const valuesOf = (error: unknown, ...names: string[]) =>
  Object.fromEntries(readErrorHints(typeof error === 'string' ? error : JSON.stringify(error), names).values);
const missingOf = (error: unknown, ...names: string[]) =>
  readErrorHints(typeof error === 'string' ? error : JSON.stringify(error), names).missing;

describe('an error message', () => {
  it('names the values that a parameter accepts', () => {
    const fastApi = { detail: [{ type: 'enum', loc: ['query', 'sort'], msg: "Input should be 'asc' or 'desc'", input: 'test' }] };
    assert.deepEqual(valuesOf(fastApi, 'q', 'sort'), { sort: ['asc', 'desc'] });
    const nest = { statusCode: 400, message: ['sort must be one of the following values: asc, desc'] };
    assert.deepEqual(valuesOf(nest, 'q', 'sort'), { sort: ['asc', 'desc'] });
    const dotNet = { title: 'One or more validation errors occurred.', errors: { sort: ['Allowed values are: asc, desc.'] } };
    assert.deepEqual(valuesOf(dotNet, 'q', 'sort'), { sort: ['asc', 'desc'] });
    const spring = { detail: 'Parameter sort: String "x" not one of the values accepted for Enum class: [ASC, DESC]' };
    assert.deepEqual(valuesOf(spring, 'q', 'sort'), { sort: ['ASC', 'DESC'] });
    const graphql = { errors: [{ message: 'Variable "$sort" got invalid value "test"; Value "test" does not exist in "Sort" enum. Did you mean the enum value "UP" or "DOWN"?' }] };
    assert.deepEqual(valuesOf(graphql, 'q', 'sort'), { sort: ['UP', 'DOWN'] });
    assert.deepEqual(valuesOf('Cannot query field "nam" on type "Tea". Did you mean "name"?', 'name'), {});
    assert.deepEqual(valuesOf('kind must be one of green, black, or white', 'kind').kind?.slice(0, 2), ['green', 'black']);
  }); // biome-ignore format: one message per line

  it('names formats, limits and types', () => {
    assert.deepEqual(valuesOf('from: use the date format YYYY-MM-DD', 'from'), { from: ['2026-01-02'] });
    assert.deepEqual(valuesOf('day has to be DD.MM.YYYY', 'day'), { day: ['02.01.2026'] });
    assert.deepEqual(valuesOf('page must be ≤ 100', 'page'), { page: ['100'] });
    assert.deepEqual(valuesOf({ limit: ['limit must not be less than 10'] }, 'q', 'limit'), { limit: ['10'] });
    const parsing = {
      detail: [{ loc: ['path', 'n'], msg: 'Input should be a valid integer, unable to parse string' }],
    };
    assert.deepEqual(valuesOf(parsing, 'n'), { n: ['1'] });
  });

  it('names parameters that are missing', () => {
    assert.deepEqual(missingOf({ detail: [{ type: 'missing', loc: ['query', 'q'], msg: 'Field required' }] }), ['q']);
    const spring = "Required request parameter 'q' for method parameter type String is not present";
    assert.deepEqual(missingOf({ message: spring }), ['q']);
    assert.deepEqual(missingOf({ error: 'missing parameter: day' }), ['day']);
    assert.deepEqual(missingOf({ error: 'day is required' }, 'day'), []);
  });

  it('that says nothing of the kind, or far too much, gives nothing and ends soon', () => {
    for (const text of ['', 'Not found', '{"error":"order not found"}', '{"message":"Authentication is required"}']) {
      assert.deepEqual([valuesOf(text, 'id'), missingOf(text, 'id')], [{}, []], text);
    }
    readErrorHints(`one of ${'a,'.repeat(100_000)}`, ['a']);
    readErrorHints('missing '.repeat(100_000), ['a']);
    readErrorHints('['.repeat(4_000) + ']'.repeat(1_000), ['(', '\\', '*']);
  });
});
