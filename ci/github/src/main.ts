import { getInput, info, notice, setFailed, setOutput, setSecret, warning } from '@actions/core';
import manifest from '../../../package.json' with { type: 'json' };
import { createClient } from '../../../packages/sdk/src/index.ts';
import { writeComment } from './comment.ts';
import { type Facts, readFacts } from './facts.ts';
import { InputError, type Inputs, readInputs, requireInputs } from './inputs.ts';
import { type Outcome, outcomeOfError } from './outcome.ts';
import { runMode } from './run-mode.ts';
import { writeResults } from './write-results.ts';

/** A fork has no secrets, so there is no verdict, and a missing verdict is not a pass. */
function tellFork({ mode, forks }: Inputs): void {
  const why =
    'Pull requests from forks have no access to secrets, so there is no api-key: nothing was started or judged.';
  const isJudging = mode !== 'start';
  setOutput('exit-code', 6);
  if (isJudging) setOutput('verdict', 'undecided');
  if (isJudging && forks === 'fail') {
    setFailed(`${why} Push the commit to a branch of this repository, or set "forks: skip".`);
  } else notice(why);
}

async function run(inputs: Inputs, facts: Facts): Promise<Outcome> {
  setSecret(inputs.apiKey);
  const client = createClient({ apiKey: inputs.apiKey, baseUrl: inputs.baseUrl });
  return runMode({ client, inputs, facts, toolVersion: manifest.version, log: info });
}

async function main(): Promise<void> {
  const facts = readFacts(process.env);
  const inputs = readInputs(getInput);
  if (inputs.apiKey === '' && facts.pullRequest?.isFork) return tellFork(inputs);
  requireInputs(inputs);
  const outcome = await run(inputs, facts).catch(outcomeOfError);
  await writeResults(outcome, inputs);
  if (outcome.report) {
    await writeComment(outcome.report, inputs, facts).catch((error: Error) =>
      warning(`The pull request comment could not be written: ${error.message}`),
    );
  }
  if (outcome.exitCode === 0) info(outcome.message);
  else setFailed(outcome.message);
}

try {
  await main();
} catch (error) {
  setOutput('exit-code', error instanceof InputError ? 2 : 8);
  setFailed(error instanceof Error ? error.message : String(error));
}
