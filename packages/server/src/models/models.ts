export { worstCaseOf } from '../billing/model-price.ts';
export { type CallResult, callModel } from './call-model.ts';
export { checkModel, type ModelCheck } from './check-model.ts';
export { countInput, estimateInput } from './count-input.ts';
export { reserveCall, settleCall } from './purse.ts';
export { countInStep, deleteOldAnswers, selectUse } from './store.ts';
