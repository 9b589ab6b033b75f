import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { openWholeShop } from './whole-shop.ts';

const { visitor } = openWholeShop();

interface Operation {
  requestBody?: { content: { 'application/json'?: { schema: { properties?: Record<string, unknown> } } } };
}

describe('the description of the API', () => {
  it('is one', async () => {
    const { errors, valid } = await validate((await visitor().ask('/openapi.json')).body);
    assert.deepEqual([errors, valid], [[], true]);
  });

  it('says what to send', async () => {
    const { paths } = JSON.parse((await visitor().ask('/openapi.json')).body) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const fieldsOf = (path: string, method: string) =>
      paths[path]?.[method]?.requestBody?.content['application/json']?.schema.properties;
    assert.deepEqual(fieldsOf('/api/stock/search', 'post'), {
      filter: { type: 'object', properties: { name: { type: 'string', example: 'Kettle' } } },
    });
    assert.deepEqual(fieldsOf('/api/basket', 'post'), { quantity: { type: 'integer', example: 1 } });
    assert.deepEqual(fieldsOf('/api/addresses/{id}', 'patch'), {
      street: { type: 'string', example: '1 Meadow Lane' },
    });
  });
});
