export { startPlayer } from './player.ts';
export { createSandboxStart } from './stage.ts';
export { answerStaged } from './staged-refusal.ts';
