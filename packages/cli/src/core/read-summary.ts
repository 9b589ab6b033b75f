import type { Client } from '@sortie/sdk';
import { isFailure } from './explain-failure.ts';

/** In the service's words; null while there is none, and from a service that cannot tell: a run is shown without it, too. */
export async function readSummary(client: Client, id: string): Promise<string | null> {
  try {
    const { data } = await client.pentests.summary(id);
    return data.summary;
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}
