/**
 * Labels for callbacks, one per request of a run. A label identifies its run and carries a MAC that requires the run's
 * key. So the listener recognizes our labels without having seen them before, and a compromised engine can forge only
 * those of its own run.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RunNames } from '../protocol/callback.ts';

const RUN = 12;
const REQUEST = 12;
const SEAL = 16;
/** A DNS label has at most 63 characters. */
const LABEL = RUN + REQUEST + SEAL;

const sealed = (key: KeyObject | string, ...parts: string[]) =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

const keyOf = (service: KeyObject, run: string) => sealed(service, 'key of a run', run);

/** Returns the same ID and key for every attempt of the run, on any worker. */
export function namesOfRun(service: KeyObject, runId: string): RunNames {
  const run = sealed(service, 'run', runId).slice(0, RUN);
  return { run, key: keyOf(service, run) };
}

/** `tag` identifies the request within the run. */
export function labelOf({ run, key }: RunNames, tag: string): string {
  const request = sealed(key, 'request', tag).slice(0, REQUEST);
  return `${run}${request}${sealed(key, 'seal', request).slice(0, SEAL)}`;
}

/** Returns the ID and key of the run that made the label; undefined if none of ours did. */
export function namesFor(service: KeyObject, label: string): RunNames | undefined {
  const run = label.slice(0, RUN);
  const key = keyOf(service, run);
  const expected = sealed(key, 'seal', label.slice(RUN, RUN + REQUEST)).slice(0, SEAL);
  const given = Buffer.from(label.slice(RUN + REQUEST));
  const isOurs = given.length === SEAL && timingSafeEqual(given, Buffer.from(expected));
  return isOurs ? { run, key } : undefined;
}

/**
 * Returns the response body for a label. It cannot be derived from the URL, so a target that shows it has fetched the
 * URL.
 */
export const answerOf = ({ key }: RunNames, label: string) => `a${sealed(key, 'answer', label).slice(0, 20)}`;

/** Returns a script for targets that execute what they fetch. It prints a value that its source does not contain. */
export function programOf({ key }: RunNames, label: string): { text: string; prints: string } {
  const digits = sealed(key, 'program', label);
  const [a, b] = [0, 8].map((from) => 10_000 + (Number.parseInt(digits.slice(from, from + 8), 16) % 90_000));
  return { text: `<?php echo ${a}*${b};?>`, prints: String(Number(a) * Number(b)) };
}

/** Returns a nonce that is unique to the run, and the same when the run repeats this step. */
export const fixedHex = ({ key }: RunNames, tag: string) => sealed(key, 'nonce', tag);

const IN_PATH = new RegExp(`/([0-9a-f]{${LABEL}})(?:/([a-z0-9-]{1,40}))?(?![a-z0-9-])`);
const IN_NAME = new RegExp(String.raw`(?:^|(?:^|\.)([a-z0-9-]{1,40})\.)([0-9a-f]{${LABEL}})(?:\.|$)`);
const LONGEST = 2_000;

/** A label and the detail beside it, e.g. a value that a shell has computed. */
export interface Named {
  label: string;
  detail: string;
}

/** In a path, the label precedes the detail; in a host name, it follows. */
export function readPath(path: string): Named | undefined {
  const [, label, detail = ''] = IN_PATH.exec(path.slice(0, LONGEST).toLowerCase()) ?? [];
  return label === undefined ? undefined : { label, detail };
}

export function readName(name: string): Named | undefined {
  const [, detail = '', label] = IN_NAME.exec(name.slice(0, LONGEST).toLowerCase()) ?? [];
  return label === undefined ? undefined : { label, detail };
}
