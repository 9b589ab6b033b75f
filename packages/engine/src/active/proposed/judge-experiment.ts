import type { Experiment } from '@sortie/contract';
import type { Nonce } from '../experiment.ts';
import { sentSteps } from './added-steps.ts';
import { isOffer } from './added-to-access.ts';
import { type Judged, judged, type Observed } from './judge-answers.ts';
import { judgeCanary } from './judge-canary.ts';
import { judgeDifference } from './judge-difference.ts';
import { judgeForbidden } from './judge-forbidden.ts';
import { judgeInput } from './judge-input.ts';
import { judgeState } from './judge-state.ts';
import { controlsOf } from './plan-experiment.ts';

/** Judges the responses of one execution, by the rule that the experiment names. */
export function judgeExperiment(experiment: Experiment, observed: Observed, nonce: Nonce): Judged {
  const { oracle } = experiment;
  const missing =
    oracle.kind === 'observe'
      ? undefined
      : sentSteps(experiment).find(({ key, isCleanUp }) => !isCleanUp && !isOffer(key) && !observed.has(key));
  if (missing) return judgeMissing(experiment, missing.key, observed);
  switch (oracle.kind) {
    case 'observe':
      return judged('VOID', 'Nothing was to be proved.');
    case 'canary':
      return judgeCanary(experiment, oracle, observed, nonce);
    case 'forbidden':
      return judgeForbidden(experiment, oracle, observed, nonce);
    case 'difference':
      return judgeDifference(experiment, oracle, observed);
    case 'state':
      return judgeState(experiment, oracle, observed);
    default:
      return judgeInput(experiment, oracle, observed, nonce);
  }
}

/** Without a response, nothing is proved. If the target refused the attack before, the flaw is not there. */
function judgeMissing(experiment: Experiment, missing: string, observed: Observed): Judged {
  const controls = new Set(controlsOf(experiment));
  const refused = experiment.steps.find(
    ({ key }) => !controls.has(key) && (observed.get(key)?.response?.status ?? 0) >= 400,
  );
  if (refused) return judged('REFUTED', `The target refused ${refused.key}, so that ${missing} could not be sent.`);
  return judged(
    'VOID',
    `${missing} could not be sent: a value that it needs was not in the responses, or it may not be sent.`,
  );
}
