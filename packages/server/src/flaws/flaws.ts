export { assignFinding, type Decision, decideState, noteFinding } from './change.ts';
export { type FlawEvent, selectNames } from './events.ts';
export { seenAt } from './fixes.ts';
export { type KnownFlaw, readFlaw, readFlaws } from './read.ts';
