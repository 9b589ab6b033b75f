import type { Experiment, ExperimentOracle, ExperimentStep } from '@sortie/contract';
import { checkInputRoles } from './check-input-roles.ts';
import { checkStateRoles } from './check-state-roles.ts';
import { isDerived, placeholdersIn, takenIn } from './placeholders.ts';
import { isOf, type Steps, uses, writes } from './roles.ts';
import { differencesOf, partsOf, placeholdersOf } from './write-step.ts';

type Oracle<Kind extends ExperimentOracle['kind']> = Extract<ExperimentOracle, { kind: Kind }>;

/**
 * Returns why the steps do not play the roles that the oracle gives them; undefined if they do. These rules keep an honest
 * application from looking flawed, from whatever planner an experiment comes.
 */
export function checkRoles({ steps, oracle, class: name }: Experiment): string | undefined {
  const unknown = keysOf(oracle).find((key) => !steps.some((step) => step.key === key));
  if (unknown !== undefined) return `The oracle names the step ${unknown}, which does not exist.`;
  const cleaning = keysOf(oracle).find((key) => steps.some((step) => step.key === key && step.isCleanUp));
  if (cleaning !== undefined) return `${cleaning} is a clean-up step: it cannot decide anything.`;
  const found: Steps = {
    all: steps,
    get: (key) => steps.find((step) => step.key === key) as ExperimentStep,
    at: (key) => steps.findIndex((step) => step.key === key),
  };
  if (oracle.kind === 'canary') return canary(oracle, found, name);
  if (oracle.kind === 'forbidden') return forbidden(oracle, found);
  if (oracle.kind === 'difference') return difference(oracle, found);
  if (oracle.kind === 'state') return checkStateRoles(oracle, found);
  return checkInputRoles(oracle, found);
}

function keysOf(oracle: ExperimentOracle): string[] {
  if (oracle.kind === 'difference') return [...oracle.honest.steps, ...oracle.attack.steps];
  if (oracle.kind === 'state') return [oracle.regular, oracle.refused, oracle.attack].flatMap((course) => course.steps);
  const { kind: _, ...rest } = oracle;
  const named = Object.values(rest as Record<string, string | string[] | undefined>);
  return named.flat().filter((each) => each !== undefined);
}

function canary({ write, home, attack, honest, refused }: Oracle<'canary'>, steps: Steps, name: string) {
  const [written, read, attacked] = [steps.get(write), steps.get(home), steps.get(attack)];
  const [usual, denied] = [
    honest === undefined ? undefined : steps.get(honest),
    refused === undefined ? undefined : steps.get(refused),
  ];
  const writers = steps.all.filter((step) => uses(step, 'word'));
  if (writers.length !== 1 || writers[0] !== written || !writes(written)) {
    return 'write, which is no GET, must be the only step with {{word}}: elsewhere, it would show what it was sent.';
  }
  if (read.method !== 'GET' || read.as !== written.as) return 'home must read by GET as the account of write.';
  if (!placeholdersIn(read.path).some((each) => takenIn(each)?.startsWith(`${write}.`) && !isDerived(each))) {
    return 'The path of home must have a value taken from the response to write: the address of what was written.';
  }
  if (attacked.as === written.as) return 'attack must be sent by another account than write, or by a visitor.';
  if (differencesOf(read, attacked).length === 0) return 'attack must differ from home: it is the way around it.';
  if (
    denied &&
    (denied.as !== attacked.as || differencesOf(read, denied).length > 0 || steps.at(refused ?? '') < steps.at(attack))
  ) {
    return 'refused must be the request of home, sent after attack by the account of attack.';
  }
  if (usual && (usual.as !== attacked.as || usual.method !== attacked.method)) {
    return 'honest must be sent by the account of attack, with its method.';
  }
  if (usual && differencesOf(usual, attacked).length > 1) return 'honest must differ from attack in one part at most.';
  const given = steps.all.find(
    (step) => writes(step) && step.as !== attacked.as && !isUsual(step, written, attacked, steps),
  );
  if (given)
    return `${given.key} writes as another account and may give access: only what attack's account sends as well may.`;
  const ofHome = new Set(placeholdersIn(read.path));
  const others = steps.all.filter((step) => step.as === attacked.as && step !== denied);
  const leaked = others.flatMap(placeholdersOf).find((each) => isOf(each, written.as, steps) && !ofHome.has(each));
  if (leaked !== undefined) return `{{${leaked}}} was given to another account: the attack could not know it.`;
  if (name === 'predictable-token' && !placeholdersOf(attacked).some(isDerived)) {
    return 'attack must derive the token from one that its own account got, as {{step.name+1}}.';
  }
  return undefined;
}

/** Returns whether a write of another account is the one of the oracle, or what the account of attack sends as well. */
const isUsual = (step: ExperimentStep, written: ExperimentStep, attacked: ExperimentStep, { all }: Steps) =>
  step === written ||
  step.isCleanUp === true ||
  all.some(
    (each) => each.as === attacked.as && differencesOf(each, step).length === 0 && placeholdersOf(step).length === 0,
  );

function forbidden({ attack, seen, refused, allowed }: Oracle<'forbidden'>, steps: Steps): string | undefined {
  const [attacked, shown] = [steps.get(attack), steps.get(seen)];
  const only = (placeholder: string, key: string | undefined) => {
    const users = steps.all.filter((step) => uses(step, placeholder));
    return users.length === (key === undefined ? 0 : 1) && users.every((step) => step.key === key);
  };
  if (!writes(attacked) || !only('word3', attack) || !only('word2', refused) || !only('word', allowed)) {
    return 'attack writes {{word3}}, refused {{word2}} and allowed {{word}}, each in its own request only.';
  }
  if (shown.method !== 'GET' || steps.at(seen) < steps.at(attack)) return 'seen must read by GET after attack.';
  if (refused === undefined || allowed === undefined) return undefined;
  const [denied, usual] = [steps.get(refused), steps.get(allowed)];
  if (denied.as !== attacked.as || usual.as === attacked.as) {
    return 'refused and attack are sent by one account, allowed by another one.';
  }
  if (steps.at(refused) > steps.at(attack)) return 'refused must be sent before attack.';
  if (differencesOf(denied, usual).length > 0) return 'refused and allowed must be the same request.';
  const changed = differencesOf(denied, attacked);
  if (changed.length !== 1) return `attack must differ from refused in one part; it differs in ${changed.length}.`;
  const [part = ''] = changed;
  const text = partsOf(attacked).get(part) ?? '';
  if (placeholdersIn(text).some((each) => isOf(each, usual.as, steps))) {
    return 'The altered part has a value of the account that may: it may have been meant to be passed on.';
  }
  const between = steps.all
    .slice(steps.at(refused) + 1)
    .find((step) => writes(step) && step !== attacked && !step.isCleanUp);
  if (between && steps.at(between.key) < steps.at(attack)) {
    return `${between.key} writes between refused and attack, and may have given the permission.`;
  }
  return undefined;
}

function difference({ shown, honest, attack }: Oracle<'difference'>, steps: Steps): string | undefined {
  const both = [...honest.steps, ...attack.steps];
  if (new Set(both).size < both.length) return 'The courses must have no step in common.';
  const isInOrder = (keys: readonly string[]) =>
    keys.every((key, index) => index === 0 || steps.at(key) > steps.at(keys[index - 1] ?? ''));
  if (!isInOrder(honest.steps) || !isInOrder(attack.steps)) return 'The steps of a course must be in the order sent.';
  if (steps.at(honest.steps.at(-1) ?? '') > steps.at(attack.steps[0] ?? ''))
    return 'The honest course must end before the other one begins: a first order may be cheaper.';
  if (new Set(both.map((key) => steps.get(key).as)).size > 1) return 'Both courses must be those of one account.';
  const [usual, altered] = [honest, attack].map((course) => steps.get(course.steps.at(-1) ?? ''));
  if (!usual || !altered || differencesOf(usual, altered).length > 0)
    return 'The last steps of both courses must be the same request.';
  const others = steps.all.find((step) => writes(step) && !step.isCleanUp && !both.includes(step.key));
  if (others) return `${others.key} writes outside of the courses.`;
  const isOfCourse = (value: string | undefined, keys: readonly string[]) =>
    value === undefined || keys.includes(value.split('.')[0] ?? '');
  if (!isOfCourse(honest.before, honest.steps) || !isOfCourse(attack.before, attack.steps))
    return 'before must be taken by a step of its course.';
  if (honest.after.split('.')[0] !== usual.key || attack.after.split('.')[0] !== altered.key)
    return 'after must be taken by the last step of its course.';
  if ((honest.before === undefined) !== (attack.before === undefined)) return 'Both courses need before, or none.';
  if (honest.after.split('.')[1] !== attack.after.split('.')[1]) return 'after must be the same value of both results.';
  const takenBy = (name: string | undefined) => {
    const [key, value] = (name ?? '').split('.');
    const taken = steps.all.find((step) => step.key === key)?.take?.find((each) => each.name === value);
    return taken && `${taken.from} ${taken.by}`;
  };
  if (takenBy(honest.after) !== takenBy(attack.after) || takenBy(honest.before) !== takenBy(attack.before))
    return 'Both courses must take before and after in the same way.';
  const rest = honest.steps.slice(0, -1);
  return isOfCourse(shown, rest) ? undefined : 'shown must be taken by an earlier step of the honest course.';
}
