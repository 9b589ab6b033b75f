import { randomInt } from 'node:crypto';
import type { ModelRequest } from '@sortie/engine';
import { costOf } from '../billing/model-price.ts';
import type { ModelSetting } from '../billing/model-settings.ts';
import { type CallResult, callModel } from './call-model.ts';

export interface ModelCheck {
  name: string;
  provider: string;
  model: string;
  isExternal: boolean;
  works: boolean;
  /** Missing features and failures, each with its remedy. */
  problems: string[];
  inputTokens: number | null;
  outputTokens: number | null;
  /** Null if the provider counts no tokens, or did not answer. */
  microdollars: number | null;
  milliseconds: number;
}

/** A smaller context has no room for the notes of a specialist. */
const LEAST_CONTEXT = 32_000;

/** Makes one small call with the features that the planner needs, and reports what is missing. */
export async function checkModel(setting: ModelSetting, signal: AbortSignal): Promise<ModelCheck> {
  const [first, second] = [randomInt(100, 1_000), randomInt(100, 1_000)];
  const startedAt = performance.now();
  const result = await callModel(setting, requestFor(first, second), signal);
  const { name, provider, model, isExternal } = setting;
  const usage = result.state === 'ANSWERED' ? result.usage : undefined;
  const problems = [...problemsOf(result, [first, second]), ...problemsOfContext(setting)];
  return {
    name,
    provider,
    model,
    isExternal,
    works: problems.length === 0,
    problems,
    inputTokens: usage?.inputTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    microdollars: usage ? costOf(setting.price, usage) : null,
    milliseconds: Math.round(performance.now() - startedAt),
  };
}

const requestFor = (first: number, second: number): ModelRequest => ({
  instructions: 'You test whether tools work. Call the tool once. Write no text.',
  messages: [
    { role: 'user', text: `Report the numbers ${first} and ${second}, in this order, with the kind "numbers".` },
  ],
  tools: [
    {
      name: 'report',
      description: 'Reports values.',
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['kind', 'values'],
        properties: {
          kind: { type: 'string', enum: ['words', 'numbers'] },
          values: { type: 'array', items: { type: 'integer' } },
        },
      },
    },
  ],
  maxOutputTokens: 2_000,
});

function problemsOf(result: CallResult, numbers: readonly number[]): string[] {
  if (result.state !== 'ANSWERED') {
    return [`No answer: ${result.reason}. Correct the address, the key or the name of the model.`];
  }
  const { answer, usage } = result;
  const [call] = answer.calls;
  const isAsAsked = JSON.stringify(call?.input) === JSON.stringify({ kind: 'numbers', values: numbers });
  return [
    ...(call?.name === 'report' ? [] : ['Tools: the model called none. Choose a model that supports tool calls.']),
    ...(call === undefined || isAsAsked
      ? []
      : ['Structured output: the input of the tool is not what was asked for. Choose a larger model.']),
    ...(usage ? [] : ['Usage: the provider counts no tokens, so that each call costs its worst case. Enable usage.']),
  ];
}

function problemsOfContext({ contextTokens }: ModelSetting): string[] {
  if (contextTokens >= LEAST_CONTEXT) return [];
  return [
    `Context: ${contextTokens} tokens are configured, and the planner needs ${LEAST_CONTEXT}. Choose a larger context.`,
  ];
}
