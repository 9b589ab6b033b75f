import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeService, type Received } from '@sortie/testing/cli/sdk-service.ts';
import { TransportError } from './errors.ts';

const run = (number: number) => ({ id: `pen_${number}` });

/** Returns a page of a list with `count` records. */
const listing = (count: number, name: string) => (received: Received) => {
  const { searchParams } = new URL(received.url);
  const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
  const items = Array.from({ length: count }, (_, index) => run(index)).slice(offset, offset + limit);
  return { body: { [name]: items, nextOffset: offset + limit < count ? offset + limit : null } };
};

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const expected = (count: number) => Array.from({ length: count }, (_, index) => `pen_${index}`);

describe('everything a list holds', () => {
  it('is read in pages of a hundred, for each of the four lists', async () => {
    for (const name of ['usage', 'pentests', 'findings'] as const) {
      const service = createFakeService([listing(250, name)], { goesOn: true });
      const { credits, pentests, scans } = service.client();
      const lists = {
        usage: [credits.usageAll()],
        pentests: [pentests.listAll()],
        findings: [pentests.findingsAll('x'), scans.findingsAll('x')],
      }[name];
      for (const list of lists) assert.deepEqual(await idsOf(list), expected(250));
      assert.equal(service.received.length, 3 * lists.length);
    }
  });

  it('is read with the filter, the page size and the beginning that are given', async () => {
    const service = createFakeService([listing(5, 'pentests')], { goesOn: true });
    const ids = await idsOf(service.client().pentests.listAll({ status: ['QUEUED'], limit: 2, offset: 1 }));
    assert.deepEqual(ids, expected(5).slice(1));
    assert.deepEqual(service.asked(), [
      'GET /v1/pentests?status=QUEUED&limit=2&offset=1',
      'GET /v1/pentests?status=QUEUED&limit=2&offset=3',
    ]);
  });

  it('is read only as far as somebody wants to know', async () => {
    const service = createFakeService([listing(250, 'pentests')], { goesOn: true });
    for await (const _first of service.client().pentests.listAll()) break;
    assert.equal(service.received.length, 1);
  });

  it('can be read again from the beginning', async () => {
    const service = createFakeService([listing(3, 'pentests')], { goesOn: true });
    const list = service.client().pentests.listAll();
    assert.deepEqual(await idsOf(list), await idsOf(list));
  });

  it('can be read as the answers themselves', async () => {
    const service = createFakeService([listing(150, 'pentests')], { goesOn: true });
    const sizes: number[] = [];
    for await (const { data } of service.client().pentests.listAll().pages()) sizes.push(data.pentests.length);
    assert.deepEqual(sizes, [100, 50]);
  });

  it('has nothing twice when the list grows at its top meanwhile', async () => {
    const service = createFakeService([
      { body: { pentests: [run(1), run(2)], nextOffset: 2 } },
      { body: { pentests: [run(2), run(3)], nextOffset: null } },
    ]);
    assert.deepEqual(await idsOf(service.client().pentests.listAll({ limit: 2 })), ['pen_1', 'pen_2', 'pen_3']);
  });

  it('is not read for ever when the offset does not grow', async () => {
    const service = createFakeService([{ body: { pentests: [run(1)], nextOffset: 0 } }], { goesOn: true });
    await assert.rejects(idsOf(service.client().pentests.listAll()), TransportError);
    assert.equal(service.received.length, 1);
  });
});
