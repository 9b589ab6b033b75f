import { describeLabs } from '@sortie/testing/engine/describe-labs.ts';
import { loadActiveChecks } from './load-checks.ts';

const checks = await loadActiveChecks();

describeLabs(
  'an active check with a browser',
  checks.filter(({ needsBrowser }) => needsBrowser),
);
