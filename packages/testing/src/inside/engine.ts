/** What tests across packages use of the inside of packages/engine; everything else they see from outside. */
export { headerPointsOf, pointsOf } from '../../../engine/src/active/insertion-point.ts';
export { triage } from '../../../engine/src/active/triage.ts';
export { launchBrowser } from '../../../engine/src/browser/launch-browser.ts';
export type { InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
export { readState } from '../../../engine/src/pentest/run/state.ts';
export type { PentestFinding } from '../../../engine/src/protocol/finding.ts';
