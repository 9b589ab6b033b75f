import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { openManyFindings, scrollToEnd } from '@sortie/testing/dashboard/many-findings.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const ROWS = 10_000;
/** What a frame draws does not grow with the list. */
const MOST_DRAWN = 100;

let world: World;
let ada: Person;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('long-list@example.com');
});
after(async () => {
  await closeBrowser();
  await world.end();
});

describe('a list of ten thousand findings', () => {
  // How long its tasks take beside those of a short list is measured by `npm run bench -- list`.
  it('scrolls from its first to its last row, and never has more than a few screens of rows to draw', async () => {
    await openManyFindings(ada, ROWS);
    const { mostRows } = await scrollToEnd(ada);
    await ada.page.getByRole('link', { name: `parameter q${ROWS - 1}` }).waitFor();
    assert.ok(mostRows > 0 && mostRows < MOST_DRAWN, `${mostRows} rows`);
  });
});
