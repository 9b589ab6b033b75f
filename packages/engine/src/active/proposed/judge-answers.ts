import { readAnswer } from '../../crawl/readers/read-answer.ts';
import type { Observation, Verdict } from '../experiment.ts';

/** The responses of one execution, by step. */
export type Observed = ReadonlyMap<string, Observation>;

/** A verdict and its reason, for the planner. */
export interface Judged {
  verdict: Verdict;
  reason: string;
}

export const judged = (verdict: Verdict, reason: string): Judged => ({ verdict, reason });

export const MISSING = judged('VOID', 'A response is missing.');

const LOGIN = /log[_-]?in|sign[_-]?in|\/auth|\/session/i;

export const statusOf = ({ response }: Observation) => response?.status ?? 0;

/** Returns whether the target sent the visitor to its login. */
function isToLogin(observation: Observation): boolean {
  const status = statusOf(observation);
  if (status < 300 || status >= 400) return false;
  const { next } = readAnswer(observation, observation.request.url) ?? {};
  return next !== undefined && LOGIN.test(new URL(next).pathname);
}

/** Returns whether the target denied the request to its sender. Errors of the request itself are no denial. */
export const isDenied = (observation: Observation) =>
  [401, 403, 404].includes(statusOf(observation)) || isToLogin(observation);

export const isAccepted = (observation: Observation) =>
  statusOf(observation) >= 200 && statusOf(observation) < 400 && !isToLogin(observation);

export const isShown = (observation: Observation) => statusOf(observation) >= 200 && statusOf(observation) < 300;

/** Returns whether the response has the word, in its body or in a header. */
export function has({ response }: Observation, word: string): boolean {
  return (
    response !== null &&
    (response.body.toString().includes(word) || response.headers.some(([, value]) => value.includes(word)))
  );
}

/** Returns whether the request contains the text, as it is or encoded. */
export function carries({ request: { url, headers = [], body = '' } }: Observation, text: string): boolean {
  const sent = [url, ...headers.map(([, value]) => value), Buffer.from(body).toString()].join('\n');
  return sent.includes(text) || decoded(sent).includes(text);
}

const PART = 6;

/** Returns whether the request has a part of the word that is too long for chance. */
export const carriesPartOf = (observation: Observation, word: string): boolean =>
  Array.from({ length: word.length - PART + 1 }, (_, from) => word.slice(from, from + PART)).some((part) =>
    carries(observation, part),
  );

/** Decodes what it can: a lone percent sign must not hide the rest. */
const decoded = (text: string) =>
  text.replaceAll('+', ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
