import type { EngineScript } from '@sortie/engine';
import type { Random } from '../start-once/random.ts';
import { finding, phases } from '../world/runs.ts';

type Step = EngineScript['steps'][number];
type Scan = NonNullable<EngineScript['scan']>;

/** The expected steps of a COMPLETED run of this script, and a scan. */
export interface SurvivedScript {
  steps: Step[];
  scan: Scan;
}

/** More crashes than a run has attempts. */
const ALWAYS = 100;

/** `number` makes the scripts distinct. */
export function createScript(number: number, random: Random): SurvivedScript {
  const length = random.between(8, 14);
  const more = Array.from({ length: length - phases.length }, () => random.pick(phases));
  const inOrder = phases.flatMap((phase) => [phase, ...more.filter((each) => each === phase)]);
  const steps = inOrder.map((phase, index) => createStep(phase, `${number}-${index + 1}`, random));
  const hopeless = random.chance(0.08) ? steps.at(random.between(1, length - 1)) : undefined;
  if (hopeless) hopeless.crash = { how: 'exit', times: ALWAYS };
  return { steps, scan: createScan(number, random) };
}

/** Returns whether no run of the script can be COMPLETED. */
export const isHopeless = ({ steps }: SurvivedScript): boolean => steps.some(({ crash }) => crash?.times === ALWAYS);

function createStep(phase: Step['phase'], name: string, random: Random): Step {
  const findings = Array.from({ length: random.between(1, 3) }, (_, index) => finding(`script-${name}-${index + 1}`));
  return {
    phase,
    milliseconds: random.between(50, 250),
    requests: random.between(1, 150),
    modelMicrodollars: random.between(1, 60_000),
    findings,
    ...(random.chance(0.06) && { crash: { how: random.pick(ways), times: random.between(1, 2) } }),
  };
}

const ways = ['exit', 'exit', 'kill', 'kill', 'hang'] as const;

function createScan(number: number, random: Random): Scan {
  const scoreImpact = random.between(1, 50);
  return {
    milliseconds: random.between(100, 500),
    ...(random.chance(0.2) && { crash: { how: 'exit', times: 1 } }),
    result: {
      score: 100 - scoreImpact,
      grade: 'C',
      checks: { passed: 38, failed: 1, notRun: 1 },
      findings: [
        {
          checkId: `check-${number}`,
          title: `Finding of script ${number}`,
          description: 'What it is.',
          severity: 'HIGH',
          confidence: 'CONFIRMED',
          category: 'tls',
          affectedUrl: null,
          evidence: null,
          remediation: 'Repair it.',
          cwe: null,
          scoreImpact,
          references: [],
        },
      ],
    },
  };
}
