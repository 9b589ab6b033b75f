import type { Change } from './active-check.ts';
import { StopSending } from './http/sender.ts';
import type { Session } from './login/session.ts';
import type { PentestState, Trace } from './pentest-state.ts';
import type { PointRequest } from './point.ts';
import { isTakenBack } from './verify.ts';

interface Changing {
  /** The check, or what else of the run does it. */
  by: string;
  /** The account; null for a visitor without one. */
  as: string | null;
  /** The request that changes something. */
  request: Pick<PointRequest, 'method' | 'url'>;
  /** What takes it back, in this order; empty where nothing does. */
  undo: readonly PointRequest[];
}

/** What a run may leave behind, noted before it is sent: whoever goes on after a crash takes it back first. */
export interface Traces {
  /** Answers once it is saved: only then may the change be made. */
  add(changing: Changing): Promise<Change>;
  /** Tries what was not taken back yet; what cannot be stays noted. */
  takeBackAll(): Promise<void>;
}

interface TracesOptions {
  state: Pick<PentestState, 'traces'>;
  /** Saves the traces, and nothing else of a step that is not done. */
  save(): Promise<void>;
  sessionOf(name: string | null): Pick<Session, 'send'> | undefined;
}

const MOST_TRIES = 3;
const MOST_TRACES = 100;
/** Of one trace; the state of a run is saved as one text of limited length. */
const MOST_CHARACTERS = 4_000;

export function createTraces({ state, save, sessionOf }: TracesOptions): Traces {
  const forget = (trace: Trace) => {
    state.traces = state.traces.filter((each) => each !== trace);
  };

  async function takeBack(trace: Trace, undo: readonly PointRequest[]): Promise<void> {
    const session = sessionOf(trace.as);
    if (!session || undo.length === 0) return;
    for (const request of undo) {
      if (!isTakenBack(await session.send({ ...request, isCleanUp: true }))) return;
    }
    forget(trace);
  }

  function changeOf(trace: Trace, undo: readonly PointRequest[]): Change {
    return { takeBack: (better = undo) => takeBack(trace, better), forget: () => forget(trace) };
  }

  return {
    async add({ by, as, request: { method, url }, undo }) {
      const noted = undo.map(toNoted);
      const isShort = JSON.stringify(noted).length <= MOST_CHARACTERS;
      const place = `${method} ${url.replace(/[?#].*$/s, '')}`.slice(0, MOST_CHARACTERS);
      const trace: Trace = { by, as, place, undo: isShort ? noted : [], tries: 0 };
      const known = undo.length === 0 && state.traces.find((each) => isAlike(each, trace));
      if (known) return changeOf(known, []);
      if (state.traces.length >= MOST_TRACES) forget(state.traces.find((each) => each.undo.length === 0) ?? trace);
      state.traces = [...state.traces, trace].slice(0, MOST_TRACES);
      await save();
      return changeOf(trace, undo);
    },
    async takeBackAll() {
      const open = state.traces.filter(({ undo, tries }) => undo.length > 0 && tries < MOST_TRIES);
      if (open.length === 0) return;
      for (const trace of open) trace.tries++;
      // Before it is tried: one that ends this process must not do so for ever.
      await save();
      try {
        for (const trace of open) await takeBack(trace, trace.undo);
      } catch (error) {
        if (!(error instanceof StopSending) || error.reason === 'window') throw error;
      }
    },
  };
}

const isAlike = (one: Trace, other: Trace) => one.undo.length === 0 && one.as === other.as && one.place === other.place;

function toNoted({ method, url, headers, body }: PointRequest): Trace['undo'][number] {
  return {
    method,
    url,
    ...(headers && { headers: headers.map(([name, value]): [string, string] => [name, value]) }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : Buffer.from(body).toString() }),
  };
}
