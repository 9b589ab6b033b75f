/**
 * The names that a target may call us by. Each stands for one request of one run: it says which run, and only whoever has
 * that run's key can make one up. So the listener tells ours from all others without having heard of them before, and an
 * engine that was taken over can make up those of its own run only.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { RunNames } from '../protocol/callback.ts';

const RUN = 12;
const REQUEST = 12;
const SEAL = 16;
/** Of DNS names, at most 63. */
const LABEL = RUN + REQUEST + SEAL;

const sealed = (key: KeyObject | string, ...parts: string[]) =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

const keyOf = (service: KeyObject, run: string) => sealed(service, 'key of a run', run);

/** The same for every attempt at the run, wherever it is worked on. */
export function namesOfRun(service: KeyObject, runId: string): RunNames {
  const run = sealed(service, 'run', runId).slice(0, RUN);
  return { run, key: keyOf(service, run) };
}

/** `tag` is what the run itself calls the request. */
export function labelOf({ run, key }: RunNames, tag: string): string {
  const request = sealed(key, 'request', tag).slice(0, REQUEST);
  return `${run}${request}${sealed(key, 'seal', request).slice(0, SEAL)}`;
}

/** Undefined for what no run of ours has made up. */
export function namesFor(service: KeyObject, label: string): RunNames | undefined {
  const run = label.slice(0, RUN);
  const key = keyOf(service, run);
  const expected = sealed(key, 'seal', label.slice(RUN, RUN + REQUEST)).slice(0, SEAL);
  const given = Buffer.from(label.slice(RUN + REQUEST));
  const isOurs = given.length === SEAL && timingSafeEqual(given, Buffer.from(expected));
  return isOurs ? { run, key } : undefined;
}

/** What we answer with: it is not in the address, so whoever shows it has asked us. */
export const answerOf = ({ key }: RunNames, label: string) => `a${sealed(key, 'answer', label).slice(0, 20)}`;

/** A program for those that run what they fetch: it prints what it does not contain. */
export function programOf({ key }: RunNames, label: string): { text: string; prints: string } {
  const digits = sealed(key, 'program', label);
  const [a, b] = [0, 8].map((from) => 10_000 + (Number.parseInt(digits.slice(from, from + 8), 16) % 90_000));
  return { text: `<?php echo ${a}*${b};?>`, prints: String(Number(a) * Number(b)) };
}

/** Fresh for each run, and the same whenever the run comes to this place again. */
export const fixedHex = ({ key }: RunNames, tag: string) => sealed(key, 'nonce', tag);

const IN_PATH = new RegExp(`/([0-9a-f]{${LABEL}})(?:/([a-z0-9-]{1,40}))?(?![a-z0-9-])`);
const IN_NAME = new RegExp(String.raw`(?:^|(?:^|\.)([a-z0-9-]{1,40})\.)([0-9a-f]{${LABEL}})(?:\.|$)`);
const LONGEST = 2_000;

/** A label, and what stood beside it: what a shell has computed, for instance. */
export interface Named {
  label: string;
  detail: string;
}

/** In a path it is before the detail, in a name behind it. */
export function readPath(path: string): Named | undefined {
  const [, label, detail = ''] = IN_PATH.exec(path.slice(0, LONGEST).toLowerCase()) ?? [];
  return label === undefined ? undefined : { label, detail };
}

export function readName(name: string): Named | undefined {
  const [, detail = '', label] = IN_NAME.exec(name.slice(0, LONGEST).toLowerCase()) ?? [];
  return label === undefined ? undefined : { label, detail };
}
