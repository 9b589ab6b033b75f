import type { SandboxRule } from '../protocol/browser-problem.ts';
import { type Driven, drive } from './drive.ts';
import { type Explored, type Exploring, explorePage } from './explore.ts';
import { launchBrowser } from './launch-browser.ts';
import type { BrowserSend } from './requests.ts';
import { type Further, type PageRequest, type PageVisit, type VisitAim, visit } from './visit.ts';

export interface Browser {
  isSandboxed: boolean;
  /** Whether it has an empty network namespace. */
  isOffNetwork: boolean;
  /**
   * Opens what a request answers, in a profile of its own, and tells what its scripts called us with. A form that is sent
   * is shown as it would be after a page elsewhere has sent it.
   */
  visit(request: PageRequest, send: BrowserSend, aim?: VisitAim): Promise<PageVisit | undefined>;
  /** Lets somebody work with a page as a person would, in a profile of its own. Undefined when it took too long. */
  drive<Value>(send: BrowserSend, use: (driven: Driven) => Promise<Value>): Promise<Value | undefined>;
  /** Opens a page likewise, and tries what can be clicked on it. */
  explore(url: string, send: BrowserSend, exploring: Exploring): Promise<Explored | undefined>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/** A page must not use up the memory. */
const MOST_SOCKETS = 50;

/** Throws a BrowserError where there is none, where it does not start, or where its sandbox is required and does not work. */
export async function openBrowser(program: string, userAgent: string, rule: SandboxRule): Promise<Browser> {
  const { browser: started, isSandboxed, isOffNetwork } = await launchBrowser(program, rule);
  return {
    isSandboxed,
    isOffNetwork,
    visit: (request, send, aim) => visit(started, userAgent, { request, send, ...aim }),
    drive: (send, use) => drive(started, userAgent, send, use),
    async explore(url, send, exploring) {
      let explored: Explored | undefined;
      const sockets: string[] = [];
      const further: Further = {
        mostMs: exploring.mostMs,
        storage: exploring.storage,
        onSocket: (each) => void (sockets.length < MOST_SOCKETS && sockets.push(each)),
        async use(page) {
          explored = await explorePage(page, exploring);
        },
      };
      await visit(started, userAgent, { request: { method: 'GET', url }, send, further });
      return explored && { ...explored, sockets };
    },
    isOpen: () => started.isConnected(),
    close: () => started.close(),
  };
}
