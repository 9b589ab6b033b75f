import assert from 'node:assert/strict';
import { it } from 'node:test';
import { closeBrowser, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createWorld } from '@sortie/testing/world/world.ts';

it('a person signs up in the browser and comes to the own account, without a fault of the page', async () => {
  const world = await createWorld();
  const ada = await visitDashboard(world.server.baseUrl);
  try {
    await ada.signUp('ada@example.com');
    assert.deepEqual(ada.faults, []);
  } finally {
    await closeBrowser();
    await world.end();
  }
});
