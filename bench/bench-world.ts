import { globalSetup, globalTeardown } from '@sortie/testing/database/cluster.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** Runs a measurement in a world of its own, on the database of the tests. */
export async function inWorld(env: Record<string, string>, measure: (world: World) => Promise<void>): Promise<void> {
  await globalSetup();
  try {
    const world = await createWorld({ env });
    try {
      await measure(world);
    } finally {
      await world.end();
    }
  } finally {
    await globalTeardown();
  }
}
