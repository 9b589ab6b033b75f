import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { WantedStart } from './starts.ts';

/** The outcome of one attempt at a start. */
export type Attempt =
  | { outcome: 'started'; text: string; isReplay: boolean }
  /** Overtaken: it had claimed the key, and then found it claimed by another attempt. */
  | { outcome: 'in progress'; isOvertaken: boolean }
  | { outcome: 'failed' }
  /** The connection broke, so it is unknown what took effect. */
  | { outcome: 'broken' }
  /** An invalid response to a start. */
  | { outcome: 'wrong'; what: string };

/** A process that starts runs. */
export interface StartNode {
  child: ChildProcess;
  /** Returns the number of its starts in progress. */
  inFlight(): number;
  send(start: WantedStart): Promise<Attempt>;
  /** Resolves to whether a start was in progress when it died. */
  kill(): Promise<boolean>;
}

export interface NodeEvents {
  onChange(): void;
  /** The process exited without being killed. */
  onCrash(why: string): void;
}

export interface Fleet {
  /** Returns the nodes that are ready and not paused. */
  usable(): StartNode[];
  isPaused(node: StartNode): boolean;
  /** Resolves when the condition returns a value; to undefined when the time is up or `unwanted` is aborted. */
  until<T>(condition: () => T | undefined, unwanted?: AbortSignal): Promise<T | undefined>;
  /** Kills the node and starts a replacement at once. Resolves to whether a start was in progress. */
  kill(node: StartNode): Promise<boolean>;
  pause(node: StartNode, milliseconds: number): void;
  end(): Promise<void>;
}

interface FleetOptions {
  size: number;
  open(events: NodeEvents): Promise<StartNode>;
  timeIsUp: AbortSignal;
}

/** Keeps `size` nodes running on one database, replacing killed ones. */
export async function createFleet({ size, open, timeIsUp }: FleetOptions): Promise<Fleet> {
  const changes = new EventEmitter().setMaxListeners(0);
  const nodes = new Set<StartNode>();
  const paused = new Map<StartNode, NodeJS.Timeout>();
  const opening = new Set<Promise<void>>();
  let failure: Error | undefined;
  let isEnding = false;

  const events: NodeEvents = {
    onChange: () => changes.emit('change'),
    onCrash(why) {
      failure ??= new Error(`a node ended by itself: ${why}`);
      changes.emit('change');
    },
  };

  function add(): Promise<void> {
    const added = open(events)
      .then(async (node) => {
        if (isEnding) await node.kill();
        else nodes.add(node);
      })
      .catch((error: Error) => {
        failure ??= error;
      })
      .finally(() => {
        opening.delete(added);
        changes.emit('change');
      });
    opening.add(added);
    return added;
  }

  function resume(node: StartNode): void {
    paused.delete(node);
    node.child.kill('SIGCONT');
    changes.emit('change');
  }

  function usable(): StartNode[] {
    if (failure) throw failure;
    return [...nodes].filter((node) => !paused.has(node));
  }

  async function end(): Promise<void> {
    isEnding = true;
    for (const timer of paused.values()) clearTimeout(timer);
    await Promise.all(opening);
    await Promise.all([...nodes].map((node) => node.kill()));
  }

  endWithThisProcess(end);
  // The first one fills the caches, which makes the others start faster.
  await add();
  await Promise.all(Array.from({ length: size - 1 }, add));
  return {
    usable,
    isPaused: (node) => paused.has(node),
    async until(condition, unwanted) {
      const signal = unwanted ? AbortSignal.any([timeIsUp, unwanted]) : timeIsUp;
      for (;;) {
        const found = condition();
        if (found !== undefined || signal.aborted) return found;
        await once(changes, 'change', { signal }).catch(() => undefined);
      }
    },
    kill(node) {
      nodes.delete(node);
      const killed = node.kill();
      if (!isEnding) add();
      return killed;
    },
    pause(node, milliseconds) {
      node.child.kill('SIGSTOP');
      paused.set(
        node,
        setTimeout(() => resume(node), milliseconds),
      );
      changes.emit('change');
    },
    end,
  };
}

/** An aborted test receives a signal; without this handler a paused process would stay forever. */
function endWithThisProcess(end: () => Promise<void>): void {
  const endAll = async () => {
    await end();
    process.exit(1);
  };
  process.once('SIGTERM', endAll).once('SIGINT', endAll);
}
