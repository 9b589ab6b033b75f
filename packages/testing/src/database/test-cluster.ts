import type { ConnectionSettings } from '../../../server/src/db/database.ts';

/** What test processes need to create their databases. */
export interface TestCluster {
  connection: ConnectionSettings;
  template: string;
}

export const TEST_CLUSTER_VARIABLE = 'SORTIE_TEST_CLUSTER';
