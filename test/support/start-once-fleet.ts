import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { WantedStart } from './start-once-starts.ts';

/** What became of a start that was sent once. */
export type Attempt =
  | { outcome: 'started'; text: string; isReplay: boolean }
  /** Overtaken: it had the key, and came back to find that another attempt has it. */
  | { outcome: 'in progress'; isOvertaken: boolean }
  | { outcome: 'failed' }
  /** Nobody knows what took effect. */
  | { outcome: 'broken' }
  /** Nothing that a start may answer. */
  | { outcome: 'wrong'; what: string };

/** A process that starts runs. */
export interface StartNode {
  child: ChildProcess;
  /** How many starts are under way in it. */
  inFlight(): number;
  send(start: WantedStart): Promise<Attempt>;
  /** Answers whether a start was under way in it when it died. */
  kill(): Promise<boolean>;
}

export interface NodeEvents {
  onChange(): void;
  /** It ended, and nobody has killed it. */
  onCrash(why: string): void;
}

export interface Fleet {
  /** Ready, and not paused. */
  usable(): StartNode[];
  isPaused(node: StartNode): boolean;
  /** Waits for the condition to give something; nothing when the time is up, or nobody wants to know any more. */
  until<T>(condition: () => T | undefined, unwanted?: AbortSignal): Promise<T | undefined>;
  /** Its replacement is started at once. Answers whether a start was under way in it. */
  kill(node: StartNode): Promise<boolean>;
  pause(node: StartNode, milliseconds: number): void;
  end(): Promise<void>;
}

interface FleetOptions {
  size: number;
  open(events: NodeEvents): Promise<StartNode>;
  timeIsUp: AbortSignal;
}

/** So many nodes on one database, whatever becomes of them. */
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
  // What the first one leaves in caches makes the others start faster.
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

/** A test that is given up half-way is told so by a signal; a process that is paused would stay for ever. */
function endWithThisProcess(end: () => Promise<void>): void {
  const endAll = async () => {
    await end();
    process.exit(1);
  };
  process.once('SIGTERM', endAll).once('SIGINT', endAll);
}
