import type { SandboxRule } from '../protocol/browser-problem.ts';
import { type Driven, drive } from './drive.ts';
import { type Explored, type Exploring, explorePage } from './explore.ts';
import { launchBrowser } from './launch-browser.ts';
import type { BrowserSend } from './requests.ts';
import { type Further, type PageRequest, type PageVisit, type VisitAim, visit } from './visit.ts';

export interface Browser {
  isSandboxed: boolean;
  /** Whether it runs in an empty network namespace. */
  isOffNetwork: boolean;
  /**
   * Opens the response to a request in a fresh profile and resolves with the callback calls of its scripts. A form
   * submission is rendered as after a cross-site form post. Resolves with undefined if the page could not be requested.
   */
  visit(request: PageRequest, send: BrowserSend, aim?: VisitAim): Promise<PageVisit | undefined>;
  /**
   * Lets `use` operate a page like a user, in a fresh profile. Resolves with undefined if that fails or takes too long.
   */
  drive<Value>(send: BrowserSend, use: (driven: Driven) => Promise<Value>): Promise<Value | undefined>;
  /** Opens a page in a fresh profile and clicks its controls. */
  explore(url: string, send: BrowserSend, exploring: Exploring): Promise<Explored | undefined>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/** A page must not exhaust our memory. */
const MOST_SOCKETS = 50;

/**
 * Throws a `BrowserError` if there is no browser, if it does not start, or if its sandbox is required and does not
 * work.
 */
export async function openBrowser(program: string, userAgent: string, rule: SandboxRule): Promise<Browser> {
  const { browser: started, isSandboxed, isOffNetwork } = await launchBrowser(program, rule);
  return {
    isSandboxed,
    isOffNetwork,
    visit: (request, send, aim) => visit(started, userAgent, { request, send, ...aim }),
    drive: (send, use) => drive(started, userAgent, send, use),
    async explore(url, send, exploring) {
      const explored: Explored = { views: [], sockets: [], clicks: 0, avoided: 0 };
      const sockets: string[] = [];
      const further: Further = {
        mostMs: exploring.mostMs,
        onSocket: (each) => void (sockets.length < MOST_SOCKETS && sockets.push(each)),
        use: (page, traffic) => explorePage(page, traffic, exploring, explored),
      };
      const { storage } = exploring;
      await visit(started, userAgent, { request: { method: 'GET', url }, send, further, storage });
      const { views, ...counts } = explored;
      const isKept = started.isConnected() && views.some(({ html }) => html !== '');
      return isKept ? { ...counts, views: [...views], sockets } : undefined;
    },
    isOpen: () => started.isConnected(),
    close: () => started.close(),
  };
}
